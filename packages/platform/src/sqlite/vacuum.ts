import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** Longer would hold up writers: SQLite waits for readers with the write lock in hand. */
const waitForReadersMs = 100;
const incremental = 2;

/**
 * Moves the write-ahead log into the database and empties its file, so that nothing deleted lingers there. False if
 * somebody was reading: try again later.
 */
export function truncateWal(database: DatabaseSyncInstance): boolean {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  database.exec(`PRAGMA busy_timeout = ${waitForReadersMs}`);
  try {
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    return busy === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/**
 * Lets freed pages be returned to the disk in small steps (`PRAGMA incremental_vacuum`). A file that was made without
 * needs one VACUUM, which also removes what earlier deletions left in it. False if the disk has no room for that.
 */
export function allowIncrementalVacuum(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
    if (mode === incremental) return true;
    if (!hasRoomToVacuum(path)) return false;
    database.exec(`PRAGMA auto_vacuum = ${incremental}; VACUUM`);
    truncateWal(database);
    return true;
  } finally {
    database.close();
  }
}

/** VACUUM makes a copy in a temporary file and another in the write-ahead log. */
export function hasRoomToVacuum(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize > 2.5 * statSync(path).size;
}
