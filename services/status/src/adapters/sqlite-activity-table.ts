import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  type AuditEntry,
  type ListAuditRequest,
  type Micros,
  topics,
  type UsageEvent,
  type UsageLine,
} from '@whetstone/contracts';
import { inTransaction } from '@whetstone/platform/sqlite';

import { openViewFile, removeViewFile } from './view-file.js';

const version = 1;
const schema = `
  CREATE TABLE audit (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (account, id)
  ) WITHOUT ROWID;
  CREATE INDEX audit_by_id ON audit (id);
  CREATE TABLE usage (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    process TEXT NOT NULL,
    answers INTEGER NOT NULL,
    empty_answers INTEGER NOT NULL,
    uploads INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    refusals INTEGER NOT NULL,
    PRIMARY KEY (account, day, key_id, process)
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_day ON usage (day);
  CREATE TABLE positions (
    topic TEXT NOT NULL,
    partition INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    PRIMARY KEY (topic, partition)
  ) WITHOUT ROWID;
`;
const purgeRows = 500;
const dayMicros = 86_400e6;
const usageDays = topics.usage.retentionMs / 86_400e3;

export interface ActivityLimits {
  /** Of one account; older ones are dropped. */
  auditEntries: number;
}

/** The audit trail and the usage of all accounts, in a file. Rows and positions change in one transaction. */
export class SqliteActivityTable {
  readonly #path: string;
  readonly #limits: ActivityLimits;
  /** Accounts with new entries, which may have too many. */
  readonly #grown = new Set<string>();
  #store: Store;

  constructor(path: string, limits: ActivityLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#store = open(path);
  }

  /** Next offset by partition; `undefined` if nothing of the topic has been read. */
  positions(topic: string): number[] | undefined {
    const rows = this.#store.positions.all(topic) as { next_offset: number }[];
    return rows.length === 0 ? undefined : rows.map(({ next_offset }) => next_offset);
  }

  /** An entry without an outcome never replaces one with an outcome. */
  applyAudit(entries: readonly AuditEntry[], positions: readonly number[]): void {
    this.#inTransaction(({ addEntry, endEntry }) => {
      for (const entry of entries) {
        const save = entry.outcome === undefined ? addEntry : endEntry;
        save.run(entry.account, entry.id, JSON.stringify(entry));
        this.#grown.add(entry.account);
      }
      this.#savePositions(topics.audit.name, positions);
    });
  }

  /** What a process counted replaces what it counted before. */
  applyUsage(events: readonly UsageEvent[], positions: readonly number[]): void {
    this.#inTransaction(({ saveUsage }) => {
      for (const { process, day, keys } of events) {
        for (const { account, keyId, answers, emptyAnswers, uploads, bytes, refusals } of keys) {
          saveUsage.run(account, day, keyId, process, answers, emptyAnswers, uploads, bytes, refusals);
        }
      }
      this.#savePositions(topics.usage.name, positions);
    });
  }

  /** Newest first, as JSON. */
  entries({ account, before, limit }: ListAuditRequest): string[] {
    const rows = this.#store.entries.all(account, before ?? '\uffff', limit) as { entry: string }[];
    return rows.map(({ entry }) => entry);
  }

  /** The latest day first, then by key. */
  usage(account: string, fromDay: number, limit: number): UsageLine[] {
    return this.#store.usage.all(account, fromDay, limit) as unknown as UsageLine[];
  }

  /** All of a topic. */
  clear(topic: string): void {
    this.#inTransaction(({ database, clearPositions }) => {
      database.exec(`DELETE FROM ${topic === topics.audit.name ? 'audit' : 'usage'}`);
      clearPositions.run(topic);
    });
  }

  /** Removes some of what is too old, or too much for its account; true if there may be more. */
  purge(now: Micros): boolean {
    return this.#inTransaction(({ purgeAudit, purgeUsage, purgeAccount }) => {
      const oldest = String(now - topics.audit.retentionMs * 1000).padStart(17, '0');
      const [account] = this.#grown;
      const removed = [
        purgeAudit.run(oldest),
        purgeUsage.run(Math.floor(now / dayMicros) - usageDays),
        ...(account === undefined ? [] : [purgeAccount.run(account, account, this.#limits.auditEntries)]),
      ].map(({ changes }) => changes === purgeRows);
      if (account !== undefined && removed[2] === false) this.#grown.delete(account);
      return removed.some(Boolean) || this.#grown.size > 0;
    });
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

  #savePositions(topic: string, positions: readonly number[]): void {
    for (const [partition, next] of positions.entries()) this.#store.savePosition.run(topic, partition, next);
  }

  #inTransaction<Result>(work: (store: Store) => Result): Result {
    return inTransaction(this.#store.database, () => work(this.#store));
  }
}

type Store = ReturnType<typeof open>;

function open(path: string) {
  const database = openViewFile(path, { schema, version });
  return { database, ...statementsOf(database) };
}

function statementsOf(database: DatabaseSyncInstance) {
  return {
    addEntry: database.prepare('INSERT OR IGNORE INTO audit (account, id, entry) VALUES (?, ?, ?)'),
    endEntry: database.prepare('INSERT OR REPLACE INTO audit (account, id, entry) VALUES (?, ?, ?)'),
    entries: database.prepare('SELECT entry FROM audit WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    saveUsage: database.prepare(`
      INSERT OR REPLACE INTO usage (account, day, key_id, process, answers, empty_answers, uploads, bytes, refusals)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    `),
    usage: database.prepare(`
      SELECT day, key_id AS keyId, sum(answers) AS answers, sum(empty_answers) AS emptyAnswers,
        sum(uploads) AS uploads, sum(bytes) AS bytes, sum(refusals) AS refusals
      FROM usage WHERE account = ? AND day >= ? GROUP BY day, key_id ORDER BY day DESC, key_id LIMIT ?
    `),
    positions: database.prepare('SELECT next_offset FROM positions WHERE topic = ? ORDER BY partition'),
    savePosition: database.prepare('INSERT OR REPLACE INTO positions (topic, partition, next_offset) VALUES (?, ?, ?)'),
    clearPositions: database.prepare('DELETE FROM positions WHERE topic = ?'),
    purgeAudit: database.prepare(`
      DELETE FROM audit WHERE (account, id) IN (SELECT account, id FROM audit WHERE id < ? ORDER BY id LIMIT ${purgeRows})
    `),
    purgeUsage: database.prepare(`
      DELETE FROM usage WHERE (account, day, key_id, process) IN
        (SELECT account, day, key_id, process FROM usage WHERE day <= ? ORDER BY day LIMIT ${purgeRows})
    `),
    purgeAccount: database.prepare(`
      DELETE FROM audit WHERE account = ? AND id IN
        (SELECT id FROM audit WHERE account = ? ORDER BY id DESC LIMIT ${purgeRows} OFFSET ?)
    `),
  };
}
