import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import type { DeletionMarker, PageOptions, Row, RowHead } from '../../domain/ports.js';
import { type ContentRecord, headOf, type MarkerRecord, markerOf, type RowRecord, rowOf } from './row-codec.js';

/** A collection as the database knows it. */
export interface CollectionRecord {
  no: number;
  id: string;
  next_n: number;
  removals: number;
  row_count: number;
  insight_count: number;
  term_count: number;
}

const numbersPerCollection = 2 ** 32;

export function seqOf(collectionNo: number, n: number): number {
  return collectionNo * numbersPerCollection + n;
}

const head = 'seq, rows.key, rows.type, job, attempt, ordinal, accepted_at, vector, intent';
const whole = `${head}, text, body`;
const joined = 'FROM rows JOIN contents USING (seq)';

/** Everything that is read from the database but the sweep of whole collections. */
export class RowReader {
  readonly #collection: StatementSyncInstance;
  readonly #collectionsBetween: StatementSyncInstance;
  readonly #heads: StatementSyncInstance;
  readonly #rows: StatementSyncInstance;
  readonly #ofJob: StatementSyncInstance;
  readonly #bySeqs: StatementSyncInstance;
  readonly #markers: StatementSyncInstance;
  readonly #stats: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#collection = db.prepare('SELECT * FROM collections WHERE id = ?');
    this.#collectionsBetween = db.prepare('SELECT id FROM collections WHERE id >= ? AND id < ? ORDER BY id');
    const page = 'WHERE collection = ? AND rows.key > ? ORDER BY rows.key LIMIT ?';
    this.#heads = db.prepare(`SELECT ${head} ${joined} ${page}`);
    this.#rows = db.prepare(`SELECT ${whole} ${joined} ${page}`);
    // '0' follows '/': the range holds the keys that begin with the job and a slash.
    const ofJob = `WHERE collection = ? AND key > ? || '/' AND key < ? || '0' ORDER BY key`;
    this.#ofJob = db.prepare(`SELECT ${whole} ${joined} ${ofJob}`);
    this.#bySeqs = db.prepare(
      `SELECT ${whole} FROM json_each(?) AS wanted JOIN rows ON seq = wanted.value JOIN contents USING (seq)`,
    );
    this.#markers = db.prepare('SELECT * FROM markers WHERE collection_id = ? ORDER BY deleted_at');
    this.#stats = db.prepare('SELECT count(*) AS collections, ifnull(sum(row_count), 0) AS rows FROM collections');
  }

  collection(collectionId: string): CollectionRecord | undefined {
    return this.#collection.get(collectionId) as CollectionRecord | undefined;
  }

  /** Ids that begin with the prefix, in order. */
  collectionIds(prefix: string): string[] {
    const records = this.#collectionsBetween.all(prefix, `${prefix}\u{10ffff}`) as { id: string }[];
    return records.map(({ id }) => id);
  }

  page(collectionId: string, options: PageOptions): Row[] {
    return this.#page<ContentRecord>(this.#rows, collectionId, options).map((record) => rowOf(collectionId, record));
  }

  pageHeads(collectionId: string, options: PageOptions): RowHead[] {
    return this.#page<RowRecord>(this.#heads, collectionId, options).map((record) => headOf(collectionId, record));
  }

  rowsOfJob(collectionId: string, jobId: string): Row[] {
    const collection = this.collection(collectionId);
    if (!collection) return [];
    const records = this.#ofJob.all(collection.no, jobId, jobId) as ContentRecord[];
    return records.map((record) => rowOf(collectionId, record));
  }

  /** The rows with these numbers, in this order. */
  rows({ no, id }: CollectionRecord, numbers: number[]): Row[] {
    const seqs = numbers.map((n) => seqOf(no, n));
    const records = this.#bySeqs.all(JSON.stringify(seqs)) as ContentRecord[];
    const bySeq = new Map(records.map((record) => [record.seq, record]));
    return seqs.map((seq) => rowOf(id, bySeq.get(seq) as ContentRecord));
  }

  markers(collectionId: string): DeletionMarker[] {
    return (this.#markers.all(collectionId) as MarkerRecord[]).map((record) => markerOf(collectionId, record));
  }

  stats(): { rows: number; collections: number } {
    const { rows, collections } = this.#stats.get() as { rows: number; collections: number };
    return { rows, collections };
  }

  #page<Item>(statement: StatementSyncInstance, collectionId: string, { after, limit }: PageOptions): Item[] {
    const collection = this.collection(collectionId);
    if (!collection) return [];
    const prefix = `${collectionId}/`;
    const afterKey = after?.startsWith(prefix) ? after.slice(prefix.length) : '';
    return statement.all(collection.no, afterKey, limit) as Item[];
  }
}
