import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Per machine: the folder may be shared, but processes elsewhere are invisible. */
const prefix = `whetstone-tests-${hostname()}-`;

/**
 * Holds the temporary folders of one test run, so that they can be removed together, whatever a killed test left behind.
 * Also removes the folders of killed runs.
 */
export async function makeRunFolder(parent = tmpdir()): Promise<string> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(prefix)) continue;
    const pid = Number(/^(\d+)-/.exec(entry.slice(prefix.length))?.[1]);
    if (pid > 0 && !isAlive(pid)) await removeRunFolder(join(parent, entry));
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

/** Ignores what cannot be removed, a mounted disk of a killed test for example. */
export async function removeRunFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive, but not ours.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
