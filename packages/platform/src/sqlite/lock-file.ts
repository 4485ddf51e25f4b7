import { DatabaseSync } from '@photostructure/sqlite';

export interface FileLock {
  release(): void;
}

/** SQLITE_BUSY, the lowest byte of SQLite's extended codes. */
const busy = 5;

/**
 * Returns `undefined` if another process holds the lock. The lock is an open exclusive transaction: the operating system
 * releases it however the process ends, so it is never stale. Throws if the file cannot be used.
 */
export function lockFile(path: string): FileLock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
