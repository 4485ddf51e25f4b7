import { DatabaseSync } from '@photostructure/sqlite';

export interface DataLock {
  release(): void;
}

/** A code of SQLite; what it adds in higher bytes says more. */
const busy = 5;

/**
 * Keeps a second server off; undefined where there is one. An open exclusive transaction is the lock: the operating system lets go
 * of it whatever ends the process, so that nothing is stale after kill −9. Throws where the file cannot be used.
 */
export function lockFile(path: string): DataLock | undefined {
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
