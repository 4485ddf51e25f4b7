import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { EngineName } from '../engine-names.js';
import { guard } from '../guard.js';

const program = fileURLToPath(new URL('main.js', import.meta.url));

/**
 * Begins to fetch engines in a process that gives way to every other one, and returns what ends that. `fetchEngines` still has
 * to be called by whoever needs one: it waits for this process where it is at it, and does what this one could not.
 */
export function fetchAhead(engines: readonly EngineName[]): () => void {
  if (engines.length === 0) return () => {};
  // A group of its own, so that it ends together with the builds that it started.
  const child = spawn(process.execPath, [program, ...engines], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  child.on('error', () => {});
  child.unref();
  const group = child.pid === undefined ? undefined : -child.pid;
  if (group === undefined) return () => {};
  const unguard = guard(group);
  let ended = false;
  child.once('exit', () => {
    ended = true;
    unguard();
  });
  return () => {
    if (!ended) process.kill(group, 'SIGKILL');
  };
}
