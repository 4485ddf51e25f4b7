import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { TopicSpec } from '@whetstone/contracts';
import { inTransaction } from '@whetstone/platform/sqlite';
import { AppError } from '@whetstone/platform/worker';

export type Database = DatabaseSyncInstance;

/** One partition of one topic. */
export interface Partition {
  id: number;
  topic: string;
  partition: number;
  compacted: boolean;
  retentionMs?: number;
}

/**
 * An event's position is its partition's id times this, plus its offset: one integer key for all partitions, so that an
 * append is one insert at the end of a range and a read is one scan. The product stays exact in a double for 8,191
 * partitions of 10^12 events.
 */
export const offsetsPerPartition = 2 ** 40;

const schemaVersion = 1;

/**
 * Counters live beside the events, so that no offset is used twice, whatever retention and compaction remove.
 * `start_offset` moves with retention only: a gap made by compaction hides nothing from a view, one made by retention may.
 */
const schema = `
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    partition INTEGER NOT NULL,
    next_offset INTEGER NOT NULL DEFAULT 0,
    start_offset INTEGER NOT NULL DEFAULT 0,
    compacted_offset INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic, partition)
  );
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    compacted INTEGER NOT NULL,
    timestamp_ms INTEGER NOT NULL,
    key TEXT NOT NULL,
    headers TEXT NOT NULL,
    value BLOB NOT NULL
  );
  CREATE INDEX compacted_events_by_key ON events (key) WHERE compacted = 1;
  CREATE TABLE positions (
    consumer_group TEXT NOT NULL,
    partition_id INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    PRIMARY KEY (consumer_group, partition_id)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

export function openDatabase(path: string, busyTimeoutMs: number): Database {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // What retention removes is overwritten, and its pages can be returned to the disk.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864');
  return database;
}

/** Creates missing tables and topics. Throws AppError `invalid_argument` if existing ones differ. */
export function preparePartitions(database: Database, topics: readonly TopicSpec[]): Partition[] {
  return inTransaction(database, () => {
    const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found === 0) database.exec(schema);
    else if (found !== schemaVersion)
      throw new AppError('invalid_argument', `Unknown log format ${found} (written by a newer version?)`);
    return topics.flatMap((topic) => prepareTopic(database, topic));
  });
}

function prepareTopic(database: Database, { name, partitions, compacted, retentionMs }: TopicSpec): Partition[] {
  const select = database.prepare('SELECT id, partition FROM partitions WHERE topic = ? ORDER BY partition');
  const insert = database.prepare('INSERT INTO partitions (topic, partition) VALUES (?, ?)');
  if (select.all(name).length === 0) for (let index = 0; index < partitions; index++) insert.run(name, index);

  const rows = select.all(name) as { id: number; partition: number }[];
  if (rows.length !== partitions) {
    // Another count would map keys to other partitions.
    throw new AppError('invalid_argument', `Topic ${name} has ${rows.length} partitions; expected ${partitions}`);
  }
  return rows.map(({ id, partition }) => ({
    id,
    topic: name,
    partition,
    compacted,
    ...(retentionMs === undefined ? {} : { retentionMs }),
  }));
}

/** Primary result codes about the file or the disk rather than the statement. */
const environment = new Set([
  3, // permission denied
  5, // busy
  6, // locked
  7, // out of memory
  8, // read only
  10, // input or output failed
  11, // malformed
  13, // full
  14, // cannot open
  15, // locking protocol
  26, // not a database
]);

/** The connection survives these: the next transaction succeeds once there is room, or the lock is free. */
const passing = new Set([5, 6, 13]);

export function isUnavailable(error: unknown): boolean {
  return environment.has(primaryCodeOf(error)) || codeOf(error) === 'ERR_INVALID_STATE';
}

export function needsReopening(error: unknown): boolean {
  return isUnavailable(error) && !passing.has(primaryCodeOf(error));
}

export function logUnavailable(cause: unknown): AppError {
  const reason = cause instanceof AppError || !hasMessage(cause) ? 'it does not answer' : cause.message;
  return new AppError('log_unavailable', `The log is unavailable: ${reason}`, { retryable: true, cause });
}

function primaryCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : -1;
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { code?: unknown }).code;
}

function hasMessage(error: unknown): error is { message: string } {
  return typeof ((error ?? {}) as { message?: unknown }).message === 'string';
}
