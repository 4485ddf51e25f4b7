import { AppError, type Logger } from '@whetstone/platform';

import type { LogEvent } from '../ports.js';
import {
  type Database,
  logUnavailable,
  needsReopening,
  offsetsPerPartition,
  openDatabase,
  type Partition,
} from './database.js';

/** Where a partition begins and ends. */
export interface Bounds {
  /** First offset that retention has kept. */
  start: number;
  /** The offset that the next event gets. */
  end: number;
}

export interface ReadResult {
  events: LogEvent[];
  /** Next offset to read, past gaps that compaction left. */
  next: number;
}

/** Limits of one read, so that it never blocks the event loop for long. */
const readEvents = 128;
const readBytes = 1024 * 1024;
/** Short, since this blocks the event loop; readers of a WAL normally never wait. */
const busyTimeoutMs = 100;
/** Opening may have to wait for another process that recovers or empties the write-ahead log. */
const openTimeoutMs = 10_000;

/**
 * Reads the file, on the main thread: what is read was usually just written, so it comes out of the page cache faster than it
 * would cross from another thread. All methods throw AppError `log_unavailable` when the file cannot be read; the next call
 * tries again with a new connection.
 */
export class EventReader {
  readonly #path: string;
  readonly #logger: Logger | undefined;
  #store: ReturnType<typeof openStore> | undefined;
  #connections = 0;
  #closed = false;

  constructor(path: string, logger?: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  bounds(): Map<number, Bounds> {
    const rows = this.#ask(({ bounds }) => bounds.all()) as { id: number; start: number; end: number }[];
    return new Map(rows.map(({ id, start, end }) => [id, { start, end }]));
  }

  /** Changes after every write by another connection, the writer thread included. */
  version(): number {
    const { data_version: version } = this.#ask((store) => store.version.get()) as { data_version: number };
    return this.#connections * 2 ** 32 + version;
  }

  read(partition: Partition, from: number, end: number): ReadResult {
    const base = partition.id * offsetsPerPartition;
    const rows = this.#ask(({ events }) => cut(events.iterate(base + from, base + end) as Iterable<EventRow>));
    const { last, isComplete } = rows;
    return {
      events: rows.taken.map((row) => this.#toEvent(partition, row)),
      next: isComplete || last === undefined ? end : last - base + 1,
    };
  }

  /** Time of the first event at or after an offset. */
  timestampAt({ id }: Partition, from: number): number | undefined {
    const base = id * offsetsPerPartition;
    const row = this.#ask(({ timestamp }) => timestamp.get(base + from, base + offsetsPerPartition));
    return (row as { timestamp_ms: number } | undefined)?.timestamp_ms;
  }

  positionOf(group: string, { id }: Partition): number {
    const row = this.#ask(({ position }) => position.get(group, id)) as { next_offset: number } | undefined;
    return row?.next_offset ?? 0;
  }

  close(): void {
    this.#closed = true;
    this.#release();
  }

  #toEvent({ id, topic, partition }: Partition, row: EventRow): LogEvent {
    const { position, key, value, timestamp_ms: timestampMs } = row;
    const offset = position - id * offsetsPerPartition;
    return {
      topic,
      partition,
      offset,
      key,
      value,
      headers: this.#headersOf(row, { topic, partition, offset }),
      timestampMs,
    };
  }

  /** A damaged row must not hold up those behind it: whoever handles the event finds out what is left of it. */
  #headersOf(
    { headers }: EventRow,
    place: { topic: string; partition: number; offset: number },
  ): Record<string, string> {
    try {
      return JSON.parse(headers) as Record<string, string>;
    } catch (error) {
      this.#logger?.error(
        { err: error, ...place },
        'Event with damaged headers in the log; delivering it without them',
      );
      return {};
    }
  }

  #ask<Result>(question: (store: ReturnType<typeof openStore>) => Result): Result {
    if (this.#closed) throw new AppError('log_unavailable', 'The log is closed', { retryable: true });
    try {
      if (!this.#store) {
        this.#store = openStore(this.#path);
        this.#connections++;
      }
      return question(this.#store);
    } catch (error) {
      if (needsReopening(error)) this.#release();
      throw logUnavailable(error);
    }
  }

  #release(): void {
    const store = this.#store;
    this.#store = undefined;
    store?.database.close();
  }
}

/** What one read takes: at least one event, however large. */
function cut(rows: Iterable<EventRow>) {
  const taken: EventRow[] = [];
  let bytes = 0;
  let isComplete = true;
  for (const row of rows) {
    bytes += row.value.byteLength;
    isComplete = taken.length === 0 || bytes <= readBytes;
    if (!isComplete) break;
    taken.push(row);
  }
  return { taken, last: taken.at(-1)?.position, isComplete: isComplete && taken.length < readEvents };
}

function openStore(path: string) {
  const database: Database = openDatabase(path, openTimeoutMs);
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  return {
    database,
    bounds: database.prepare('SELECT id, start_offset AS start, next_offset AS "end" FROM partitions'),
    version: database.prepare('PRAGMA data_version'),
    events: database.prepare(`
      SELECT position, timestamp_ms, key, headers, value FROM events
      WHERE position >= ? AND position < ? ORDER BY position LIMIT ${readEvents}
    `),
    timestamp: database.prepare(`
      SELECT timestamp_ms FROM events WHERE position >= ? AND position < ? ORDER BY position LIMIT 1
    `),
    position: database.prepare('SELECT next_offset FROM positions WHERE consumer_group = ? AND partition_id = ?'),
  };
}

interface EventRow {
  position: number;
  timestamp_ms: number;
  key: string;
  headers: string;
  value: Uint8Array;
}
