import { backup, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

export interface DatabaseCopy {
  from: string;
  /** A file that does not exist yet. */
  to: string;
}

const busyTimeoutMs = 10_000;

/**
 * Copies databases while others write to them, all as of one moment: for that moment, a few milliseconds, it holds the
 * write locks of all of them and begins to read. What it then copies is that state, however long it takes. The copies
 * are what a crash at that moment would have left, without a write-ahead log.
 */
export async function copyDatabases(copies: readonly DatabaseCopy[]): Promise<void> {
  const opened: DatabaseSyncInstance[] = [];
  const open = (path: string) => {
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    opened.push(database);
    return database;
  };
  try {
    const sources = copies.map(({ from, to }) => ({ source: open(from), to }));
    const locks = copies.map(({ from }) => open(from));
    for (const lock of locks) lock.exec('BEGIN IMMEDIATE');
    for (const { source } of sources) source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    for (const lock of locks) lock.exec('ROLLBACK');
    for (const { source, to } of sources) {
      await backup(source, to, { rate: -1 });
      const copy = open(to);
      copy.exec('PRAGMA journal_mode = DELETE');
    }
  } finally {
    for (const database of opened) database.close();
  }
}
