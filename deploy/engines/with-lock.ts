import { setTimeout as sleep } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Runs the work while no other process holds the same lock file. An open exclusive transaction is the lock: the operating
 * system lets go of it whatever ends the process, so that nothing is stale after kill −9.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited = false; !taken(lock); waited = true) {
      if (!waited) onWait();
      await sleep(200);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock: InstanceType<typeof DatabaseSync>): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (/locked|busy/i.test((error as Error).message)) return false;
    throw error;
  }
}
