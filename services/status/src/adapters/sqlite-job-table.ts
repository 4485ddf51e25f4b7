import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JobEvent, Micros } from '@whetstone/contracts';

import { mergeJob } from '../domain/merge-job.js';
import { expiresAt } from '../domain/state-of.js';
import { inTransaction, openViewFile, removeViewFile } from './view-file.js';

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
`;
const purgeRows = 500;

/** The view in a file. Rows and positions change in one transaction, so that after a crash it goes on where it was. */
export class SqliteJobTable {
  readonly #path: string;
  #store: Store;

  constructor(path: string) {
    this.#path = path;
    this.#store = open(path);
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
    removeViewFile(this.#path);
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
    return inTransaction(this.#store.database, () => work(this.#store));
  }
}

type Store = ReturnType<typeof open>;

function open(path: string) {
  const database = openViewFile(path, { schema, version: schemaVersion });
  return { database, ...statementsOf(database) };
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
