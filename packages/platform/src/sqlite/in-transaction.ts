import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Takes the write lock at once, so that what `work` reads is still true when it writes. */
export function inTransaction<Result>(database: DatabaseSyncInstance, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
