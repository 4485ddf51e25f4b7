import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { EncryptedReport, JobEvent, Micros, RunCount } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { inTransaction } from '@whetstone/platform/sqlite';

import type { ListedRun, RunFilters, RunPlace } from '../domain/list-runs.js';
import { mergeJob } from '../domain/merge-job.js';
import { expiresAt } from '../domain/state-of.js';
import { openViewFile, removeViewFile } from './view-file.js';

const countRun = `
    INSERT INTO collections VALUES (new.collection_id, 1, new.accepted_at)
    ON CONFLICT DO UPDATE SET runs = runs + 1, last_accepted_at = max(last_accepted_at, excluded.last_accepted_at);`;
const schemaVersion = 2;
/**
 * Reports are in a table of their own, so that looking up a job reads few pages. `collections` and `accounts` count what
 * is listed of a collection, and the reports of an account.
 */
const schema = `
  CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    collection_id TEXT,
    success INTEGER,
    record TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX open_jobs ON jobs (accepted_at) WHERE status = 'processing';
  CREATE INDEX jobs_by_expiry ON jobs (expires_at);
  CREATE INDEX runs ON jobs (collection_id, accepted_at, job_id) WHERE collection_id IS NOT NULL;
  CREATE INDEX runs_by_success ON jobs (collection_id, success, accepted_at, job_id) WHERE success IS NOT NULL;
  CREATE INDEX unfinished_runs ON jobs (collection_id, status, accepted_at, job_id) WHERE status <> 'completed';
  CREATE TABLE reports (
    job_id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    report TEXT NOT NULL
  );
  CREATE INDEX reports_by_age ON reports (account, accepted_at);
  CREATE TABLE collections (
    collection_id TEXT PRIMARY KEY, runs INTEGER NOT NULL, last_accepted_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TRIGGER run_added AFTER INSERT ON jobs WHEN new.collection_id IS NOT NULL BEGIN ${countRun} END;
  CREATE TRIGGER run_placed AFTER UPDATE ON jobs
    WHEN old.collection_id IS NULL AND new.collection_id IS NOT NULL BEGIN ${countRun} END;
  CREATE TRIGGER run_removed AFTER DELETE ON jobs WHEN old.collection_id IS NOT NULL BEGIN
    UPDATE collections SET runs = runs - 1 WHERE collection_id = old.collection_id;
    DELETE FROM collections WHERE collection_id = old.collection_id AND runs <= 0;
  END;
  CREATE TABLE accounts (account TEXT PRIMARY KEY, reports INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TRIGGER report_added AFTER INSERT ON reports BEGIN
    INSERT INTO accounts VALUES (new.account, 1) ON CONFLICT DO UPDATE SET reports = reports + 1;
  END;
  CREATE TRIGGER report_removed AFTER DELETE ON reports BEGIN
    UPDATE accounts SET reports = reports - 1 WHERE account = old.account;
    DELETE FROM accounts WHERE account = old.account AND reports <= 0;
  END;
  CREATE TABLE positions (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL);
`;
const purgeRows = 500;
/** Of an account; older runs are listed without text. Bounds the file: a report has up to 6 KB. */
const mostReports = 100_000;

/** The view in a file. Rows and positions change in one transaction, so that after a crash it goes on where it was. */
export class SqliteJobTable {
  readonly #path: string;
  readonly #reportsPerAccount: number;
  #store: Store;

  constructor(path: string, reportsPerAccount = mostReports) {
    this.#path = path;
    this.#reportsPerAccount = reportsPerAccount;
    this.#store = open(path);
  }

  get(jobId: string): JobEvent | undefined {
    const row = this.#store.get.get(jobId) as { record: string } | undefined;
    return row && (JSON.parse(row.record) as JobEvent);
  }

  report(jobId: string): EncryptedReport | undefined {
    return reportIn(this.#store.getReport.get(jobId));
  }

  list(filters: RunFilters, after: RunPlace = newest, limit: number, now: Micros): ListedRun[] {
    const { collectionId, status = 'any', success } = filters;
    const statement = this.#store.runs[status][success === undefined ? 'any' : 'told'];
    const values = [collectionId, after.acceptedAt, after.jobId, now, limit];
    const rows = statement.all(...values, ...(success === undefined ? [] : [Number(success)]));
    return rows.map((row) => {
      const report = reportIn(row);
      return { record: JSON.parse((row as { record: string }).record) as JobEvent, ...(report && { report }) };
    });
  }

  count(collectionIds: readonly string[]): RunCount[] {
    return this.#store.count.all(JSON.stringify(collectionIds)) as unknown as RunCount[];
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
    this.#inTransaction(({ database }) =>
      database.exec('DELETE FROM jobs; DELETE FROM reports; DELETE FROM positions'),
    );
  }

  /** Removes some expired records, and reports beyond the limit; true if there may be more. */
  purge(now: Micros): boolean {
    return this.#inTransaction(({ purgeReports, purge, crowded, purgeOldest }) => {
      purgeReports.run(now);
      const { changes } = purge.run(now);
      const found = crowded.get(this.#reportsPerAccount) as { account: string; excess: number } | undefined;
      if (found) purgeOldest.run(found.account, Math.min(found.excess, purgeRows));
      return changes === purgeRows || found !== undefined;
    });
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
    const { report, ...next } = { report: undefined, ...event };
    const known = this.get(next.jobId);
    if (known && mergeJob(known, next) === known) return;
    const { jobId, status, acceptedAt, collectionId = null, success } = next;
    const { save, saveReport, deleteReport } = this.#store;
    const told = success === undefined ? null : Number(success);
    save.run(jobId, status, acceptedAt, expiresAt(next), collectionId, told, JSON.stringify(next));
    deleteReport.run(jobId);
    if (!report || collectionId === null) return;
    saveReport.run(jobId, prefixOfCollection(collectionId), acceptedAt, JSON.stringify(report));
  }

  #inTransaction<Result>(work: (store: Store) => Result): Result {
    return inTransaction(this.#store.database, () => work(this.#store));
  }
}

const newest: RunPlace = { acceptedAt: Number.MAX_SAFE_INTEGER, jobId: '' };

type Store = ReturnType<typeof open>;

function open(path: string) {
  const database = openViewFile(path, { schema, version: schemaVersion });
  return { database, ...statementsOf(database) };
}

function statementsOf(database: DatabaseSyncInstance) {
  const expired = `SELECT job_id FROM jobs WHERE expires_at <= ? ORDER BY expires_at, job_id LIMIT ${purgeRows}`;
  const page = (condition: string) =>
    database.prepare(`
      SELECT record, report FROM jobs LEFT JOIN reports USING (job_id)
      WHERE ${condition} AND (jobs.accepted_at, job_id) < (?2, ?3) AND expires_at > ?4
      ORDER BY jobs.accepted_at DESC, job_id DESC LIMIT ?5
    `);
  /** Conditions that repeat those of an index, so that few matches are found without a scan. */
  const runs = (condition: string) => ({ any: page(condition), told: page(`${condition} AND success = ?6`) });
  return {
    get: database.prepare('SELECT record FROM jobs WHERE job_id = ?'),
    // Not a replacement, which would count the run again.
    save: database.prepare(`
      INSERT INTO jobs (job_id, status, accepted_at, expires_at, collection_id, success, record)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET status = excluded.status, accepted_at = excluded.accepted_at,
        expires_at = excluded.expires_at, collection_id = coalesce(excluded.collection_id, collection_id),
        success = excluded.success, record = excluded.record
    `),
    getReport: database.prepare('SELECT report FROM reports WHERE job_id = ?'),
    saveReport: database.prepare('INSERT INTO reports (job_id, account, accepted_at, report) VALUES (?, ?, ?, ?)'),
    deleteReport: database.prepare('DELETE FROM reports WHERE job_id = ?'),
    runs: {
      any: runs('collection_id = ?1'),
      completed: runs("collection_id = ?1 AND status = 'completed'"),
      failed: runs("collection_id = ?1 AND status <> 'completed' AND status = 'failed'"),
      processing: runs("collection_id = ?1 AND status <> 'completed' AND status = 'processing'"),
    },
    count: database.prepare(`
      SELECT collection_id AS collectionId, runs, last_accepted_at AS lastAcceptedAt
      FROM collections WHERE collection_id IN (SELECT value FROM json_each(?))
    `),
    positions: database.prepare('SELECT next_offset FROM positions ORDER BY partition'),
    savePosition: database.prepare('INSERT OR REPLACE INTO positions (partition, next_offset) VALUES (?, ?)'),
    purge: database.prepare(`
      DELETE FROM jobs WHERE job_id IN (${expired})
    `),
    purgeReports: database.prepare(`DELETE FROM reports WHERE job_id IN (${expired})`),
    crowded: database.prepare('SELECT account, reports - ?1 AS excess FROM accounts WHERE reports > ?1 LIMIT 1'),
    purgeOldest: database.prepare(`
      DELETE FROM reports WHERE job_id IN (
        SELECT job_id FROM reports WHERE account = ? ORDER BY accepted_at LIMIT ?
      )
    `),
    oldestOpen: database.prepare("SELECT min(accepted_at) AS accepted_at FROM jobs WHERE status = 'processing'"),
  };
}

function reportIn(row: unknown): EncryptedReport | undefined {
  const { report } = (row ?? {}) as { report?: string | null };
  return report ? (JSON.parse(report) as EncryptedReport) : undefined;
}
