import { rmSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isDamage } from '@whetstone/platform/sqlite';

interface ViewSchema {
  /** Has a table `positions`. */
  schema: string;
  version: number;
}

const busyTimeoutMs = 1000;

/** Opens the file of a view. It is only a copy of the log: a corrupt one, or one of another version, is discarded. */
export function openViewFile(path: string, wanted: ViewSchema): DatabaseSyncInstance {
  try {
    return open(path, wanted);
  } catch (error) {
    if (!isDamage(error) && !(error instanceof UnknownVersion)) throw error;
    removeViewFile(path);
    return open(path, wanted);
  }
}

export function removeViewFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** Permission, busy, locked, out of memory, read-only, input or output, full, cannot open, locking protocol. */
const passingCodes = [3, 5, 6, 7, 8, 10, 13, 14, 15];

/** Whether it is about the disk or a lock, and so may pass. */
export function mayPass(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' && passingCodes.includes(errcode & 0xff);
}

function open(path: string, { schema, version }: ViewSchema): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    // What a power cut loses is read from the log again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found === 0) database.exec(`BEGIN; ${schema} PRAGMA user_version = ${version}; COMMIT`);
    else if (found !== version) throw new UnknownVersion(`Version ${found}`);
    // The first thing asked for; damage in it must show here.
    database.prepare('SELECT next_offset FROM positions').all();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class UnknownVersion extends Error {}
