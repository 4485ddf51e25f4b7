import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import type { MarkerHead, PageOptions, RowPage } from '../../domain/ports.js';
import {
  type PackedContents,
  packedContentsQuery,
  packedVoteCountsQuery,
  packedVotesQuery,
} from './packed-insights.js';
import { floatsOf, type PackedRows, packedHeadsQuery, packedMarkersQuery, packedRowsQuery } from './packed-rows.js';

/** A row of the table `collections`. */
export interface CollectionRecord {
  no: number;
  id: string;
  next_n: number;
  removals: number;
  row_count: number;
  insight_count: number;
  term_count: number;
}

interface MarkerRecord {
  deleted_at: number;
  threshold: number;
  intent: Uint8Array;
}

const numbersPerCollection = 2 ** 32;

export function seqOf(collectionNo: number, n: number): number {
  return collectionNo * numbersPerCollection + n;
}

const joined = 'rows JOIN contents USING (seq) LEFT JOIN names USING (seq)';

/** All reads except the sweep through a collection. */
export class RowReader {
  readonly #collection: StatementSyncInstance;
  readonly #collectionsBetween: StatementSyncInstance;
  readonly #heads: StatementSyncInstance;
  readonly #rows: StatementSyncInstance;
  readonly #rowsOfType: StatementSyncInstance;
  readonly #ofJobs: StatementSyncInstance;
  readonly #named: StatementSyncInstance;
  readonly #ofLesson: StatementSyncInstance;
  readonly #contents: StatementSyncInstance;
  readonly #vectors: StatementSyncInstance;
  readonly #votes: StatementSyncInstance;
  readonly #voteCounts: StatementSyncInstance;
  readonly #markers: StatementSyncInstance;
  readonly #markerHeads: StatementSyncInstance;
  readonly #allMarkers: StatementSyncInstance;
  readonly #countMarkers: StatementSyncInstance;
  readonly #stats: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#collection = db.prepare('SELECT * FROM collections WHERE id = ?');
    this.#collectionsBetween = db.prepare('SELECT id FROM collections WHERE id >= ? AND id < ? ORDER BY id');
    const pageOf = (type: string) =>
      `FROM ${joined} WHERE rows.collection = ? AND rows.key > ? ${type} ORDER BY rows.key LIMIT ?`;
    this.#heads = db.prepare(packedHeadsQuery(pageOf('')));
    this.#rows = db.prepare(packedRowsQuery(pageOf('')));
    this.#rowsOfType = db.prepare(packedRowsQuery(pageOf('AND rows.type = ?')));
    // '0' follows '/' in ASCII: the range contains the keys that start with the job and a slash.
    const ofJob = "rows.key > wanted.value || '/' AND rows.key < wanted.value || '0'";
    const ofJobs = `FROM json_each(?1) AS wanted CROSS JOIN ${joined} WHERE rows.collection = ?2 AND ${ofJob}`;
    this.#ofJobs = db.prepare(packedRowsQuery(ofJobs));
    const named = 'names CROSS JOIN rows USING (seq) JOIN contents USING (seq)';
    const withName = 'names.collection = ?2 AND names.name = wanted.value';
    this.#named = db.prepare(packedRowsQuery(`FROM json_each(?1) AS wanted CROSS JOIN ${named} WHERE ${withName}`));
    const parts = 'lesson_parts WHERE collection = ? AND lesson = ? ORDER BY last_seen DESC LIMIT ?';
    const ofLesson = `(SELECT seq, last_seen FROM ${parts}) CROSS JOIN rows USING (seq) JOIN contents USING (seq)`;
    this.#ofLesson = db.prepare(packedRowsQuery(`FROM ${ofLesson} JOIN names USING (seq) ORDER BY last_seen DESC`));
    const wanted = 'FROM json_each(?) AS wanted JOIN contents ON seq = wanted.value ORDER BY wanted.key';
    this.#contents = db.prepare(packedContentsQuery(wanted));
    this.#vectors = db.prepare(
      `SELECT group_concat(place, ' ') AS places, CAST(group_concat(vector, '') AS BLOB) AS vectors
       FROM (SELECT wanted.key AS place, vector FROM json_each(?) AS wanted CROSS JOIN rows ON seq = wanted.value)`,
    );
    this.#votes = db.prepare(packedVotesQuery);
    this.#voteCounts = db.prepare(packedVoteCountsQuery);
    this.#markers = db.prepare(packedMarkersQuery('collection_id = ? AND deleted_at >= ?'));
    this.#markerHeads = db.prepare('SELECT deleted_at, threshold, intent FROM markers WHERE collection_id = ?');
    this.#allMarkers = db.prepare(packedMarkersQuery('deleted_at >= ?'));
    this.#countMarkers = db.prepare(
      'SELECT count(*) AS markers FROM markers WHERE collection_id >= ? AND collection_id < ?',
    );
    this.#stats = db.prepare('SELECT count(*) AS collections, ifnull(sum(row_count), 0) AS rows FROM collections');
  }

  collection(collectionId: string): CollectionRecord | undefined {
    return this.#collection.get(collectionId) as CollectionRecord | undefined;
  }

  /** Ids that start with the prefix, sorted. */
  collectionIds(prefix: string): string[] {
    const records = this.#collectionsBetween.all(prefix, afterAll(prefix)) as { id: string }[];
    return records.map(({ id }) => id);
  }

  page(collectionId: string, { type, ...options }: RowPage): PackedRows {
    if (type === undefined) return this.#page(this.#rows, collectionId, options);
    return this.#page(this.#rowsOfType, collectionId, options, [type]);
  }

  pageHeads(collectionId: string, options: PageOptions): PackedRows {
    return this.#page(this.#heads, collectionId, options);
  }

  /** In no order. */
  rowsOfJobs(collectionId: string, jobIds: string[]): PackedRows {
    return this.#wanted(this.#ofJobs, collectionId, jobIds);
  }

  /** In no order. */
  rowsNamed(collectionId: string, names: string[]): PackedRows {
    return this.#wanted(this.#named, collectionId, names);
  }

  /** The insights of a lesson, those that were seen last first. */
  insightsOf(collectionId: string, lesson: string, limit: number): PackedRows {
    const collection = this.collection(collectionId);
    return collection ? packed(this.#ofLesson.get(collection.no, lesson, limit)) : noRows;
  }

  /** Content of the rows with these numbers, in this order. */
  contents({ no }: CollectionRecord, numbers: number[]): PackedContents {
    const { lengths, contents } = this.#contents.get(seqsOf(no, numbers)) as unknown as PackedContents;
    return { lengths, contents };
  }

  /** Of the rows with these numbers, in this order; `undefined` where there is no such row. */
  vectors({ no }: CollectionRecord, numbers: number[]): (Float32Array | undefined)[] {
    const found = this.#vectors.get(seqsOf(no, numbers)) as { places: string | null; vectors: Uint8Array };
    const vectors: (Float32Array | undefined)[] = numbers.map(() => undefined);
    if (found.places === null) return vectors;
    const places = found.places.split(' ');
    const all = floatsOf(found.vectors);
    const dimension = all.length / places.length;
    for (const [at, place] of places.entries()) {
      vectors[Number(place)] = all.subarray(at * dimension, (at + 1) * dimension);
    }
    return vectors;
  }

  /** By insight names. */
  votes({ no }: CollectionRecord, insights: string[], limit: number): string {
    return packedText(this.#votes.get(JSON.stringify(insights), no, limit));
  }

  /** By either name; `insights` are the older names of the rows with these numbers. */
  voteCounts({ no }: CollectionRecord, insights: string[], numbers: number[]): string {
    return packedText(this.#voteCounts.get(JSON.stringify(insights), no, seqsOf(no, numbers)));
  }

  markers(collectionId: string, from: number): PackedRows {
    return packed(this.#markers.get(collectionId, from));
  }

  markerHeads(collectionId: string): MarkerHead[] {
    const records = this.#markerHeads.all(collectionId) as unknown as MarkerRecord[];
    return records.map(({ deleted_at: deletedAt, threshold, intent }) => {
      return { collectionId, deletedAt, threshold, intent: Buffer.from(intent).toString() };
    });
  }

  allMarkers(from: number): PackedRows {
    return packed(this.#allMarkers.get(from));
  }

  countMarkers(prefix: string): number {
    return (this.#countMarkers.get(prefix, afterAll(prefix)) as { markers: number }).markers;
  }

  stats(): { rows: number; collections: number } {
    const { rows, collections } = this.#stats.get() as { rows: number; collections: number };
    return { rows, collections };
  }

  #wanted(statement: StatementSyncInstance, collectionId: string, values: string[]): PackedRows {
    const collection = this.collection(collectionId);
    return collection ? packed(statement.get(JSON.stringify(values), collection.no)) : noRows;
  }

  #page(
    statement: StatementSyncInstance,
    collectionId: string,
    { after, limit }: PageOptions,
    filters: string[] = [],
  ): PackedRows {
    const collection = this.collection(collectionId);
    if (!collection) return noRows;
    const prefix = `${collectionId}/`;
    const afterKey = after?.startsWith(prefix) ? after.slice(prefix.length) : '';
    return packed(statement.get(collection.no, afterKey, ...filters, limit));
  }
}

export function seqsOf(collectionNo: number, numbers: number[]): string {
  return JSON.stringify(numbers.map((n) => seqOf(collectionNo, n)));
}

/** Greater than every id with the prefix. */
function afterAll(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

const noRows: PackedRows = { meta: null, vectors: null, contents: null };

function packedText(record: unknown): string {
  return (record as { votes: string | null }).votes ?? '';
}

/** A plain object: the prototype of SQLite records cannot be cloned between threads. */
function packed(record: unknown): PackedRows {
  const { meta, vectors, contents } = record as PackedRows;
  return { meta, vectors, contents };
}
