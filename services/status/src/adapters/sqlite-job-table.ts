import { rmSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JobEvent, Micros } from '@whetstone/contracts';
import { isDamage } from '@whetstone/platform/sqlite';

import { mergeJob } from '../domain/merge-job.js';
import { expiresAt } from '../domain/state-of.js';

const schemaVersion = 1;
const schema = `
  CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX open_jobs ON jobs (accepted_at) WHERE status = 'processing';
  CREATE INDEX jobs_by_expiry ON jobs (expires_at);
  CREATE TABLE positions (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL);
  PRAGMA user_version = ${schemaVersion};
`;
const busyTimeoutMs = 1000;
const purgeRows = 500;

/**
 * The view in a file. Rows and positions change in one transaction, so that after a crash it goes on
 * where it was. It is only a copy of the log: a corrupt file, or one of another version, is discarded.
 */
export class SqliteJobTable {
  readonly #path: string;
  #store: Store;

  constructor(path: string) {
    this.#path = path;
    this.#store = openOrRecreate(path);
  }

  get(jobId: string): JobEvent | undefined {
    const row = this.#store.get.get(jobId) as { record: string } | undefined;
    return row && (JSON.parse(row.record) as JobEvent);
  }

  /** Next offset by partition; `undefined` for an empty table. */
  positions(): number[] | undefined {
    const rows = this.#store.positions.all() as { next_offset: number }[];
    return rows.length === 0 ? undefined : rows.map(({ next_offset }) => next_offset);
  }

  apply(events: readonly JobEvent[], positions: readonly number[]): void {
    this.#inTransaction(({ savePosition }) => {
      for (const event of events) this.#merge(event);
      for (const [partition, nextOffset] of positions.entries()) savePosition.run(partition, nextOffset);
    });
  }

  clear(): void {
    this.#inTransaction(({ database }) => database.exec('DELETE FROM jobs; DELETE FROM positions'));
  }

  /** Removes some expired records; true if there may be more. */
  purge(now: Micros): boolean {
    return this.#inTransaction(({ purge }) => purge.run(now).changes === purgeRows);
  }

  /** When the oldest open job was accepted. */
  oldestOpen(): Micros | undefined {
    return (this.#store.oldestOpen.get() as { accepted_at: number | null }).accepted_at ?? undefined;
  }

  /** Replaces the file by an empty one. */
  recreate(): void {
    this.close();
    remove(this.#path);
    this.#store = open(this.#path);
  }

  close(): void {
    if (this.#store.database.isOpen) this.#store.database.close();
  }

  #merge(event: JobEvent): void {
    const known = this.get(event.jobId);
    const merged = known ? mergeJob(known, event) : event;
    if (merged === known) return;
    const { jobId, status, acceptedAt } = merged;
    this.#store.save.run(jobId, status, acceptedAt, expiresAt(merged), JSON.stringify(merged));
  }

  #inTransaction<Result>(work: (store: Store) => Result): Result {
    const { database } = this.#store;
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work(this.#store);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Permission, busy, locked, out of memory, read-only, input or output, full, cannot open, locking protocol. */
const passingCodes = [3, 5, 6, 7, 8, 10, 13, 14, 15];

/** Whether it is about the disk or a lock, and so may pass. */
export function mayPass(error: unknown): boolean {
  return passingCodes.includes(primaryCodeOf(error));
}

function primaryCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : -1;
}

type Store = ReturnType<typeof open>;

function openOrRecreate(path: string): Store {
  try {
    return open(path);
  } catch (error) {
    if (!isDamage(error) && !(error instanceof UnknownVersion)) throw error;
    remove(path);
    return open(path);
  }
}

function open(path: string) {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    prepare(database);
    const store = { database, ...statementsOf(database) };
    // The first thing asked for; damage in it must show here.
    store.positions.all();
    return store;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSyncInstance): void {
  // What a power cut loses is read from the log again.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found === 0) database.exec(`BEGIN; ${schema} COMMIT`);
  else if (found !== schemaVersion) throw new UnknownVersion(`Version ${found}`);
}

function statementsOf(database: DatabaseSyncInstance) {
  return {
    get: database.prepare('SELECT record FROM jobs WHERE job_id = ?'),
    save: database.prepare(`
      INSERT OR REPLACE INTO jobs (job_id, status, accepted_at, expires_at, record) VALUES (?, ?, ?, ?, ?)
    `),
    positions: database.prepare('SELECT next_offset FROM positions ORDER BY partition'),
    savePosition: database.prepare('INSERT OR REPLACE INTO positions (partition, next_offset) VALUES (?, ?)'),
    purge: database.prepare(`
      DELETE FROM jobs WHERE job_id IN (SELECT job_id FROM jobs WHERE expires_at <= ? ORDER BY expires_at LIMIT ${purgeRows})
    `),
    oldestOpen: database.prepare("SELECT min(accepted_at) AS accepted_at FROM jobs WHERE status = 'processing'"),
  };
}

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

class UnknownVersion extends Error {}
