import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of this machine only: a process elsewhere cannot be seen, though the folder may be shared. */
const prefix = `whetstone-tests-${hostname()}-`;

/**
 * The place for temporary folders of one run of tests, which can be removed with everything that a killed test left in it.
 * Removes those of runs that were killed themselves.
 */
export async function makeRunFolder(parent = tmpdir()): Promise<string> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(prefix)) continue;
    const pid = Number(/^(\d+)-/.exec(entry.slice(prefix.length))?.[1]);
    if (pid > 0 && !isAlive(pid)) await removeRunFolder(join(parent, entry));
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

/** What cannot be removed, as a disk that a killed test has mounted, is no reason to fail. */
export async function removeRunFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One that is not ours lives as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
