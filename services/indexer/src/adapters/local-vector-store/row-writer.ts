import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { AppError } from '@whetstone/platform/worker';

import { isInsightName } from '../../domain/insight-names.js';
import type { DeletionMarker, MarkerHead, Row, RowType } from '../../domain/ports.js';
import { voteOf } from '../../domain/votes.js';
import type { IndexEntry } from './collection-index.js';
import { LessonWriter, nothingTouched, type Touched } from './lesson-writer.js';
import { bytesOf, bytesOfText, numbersOf } from './packed-rows.js';
import { type CollectionRecord, type RowReader, seqOf } from './row-reader.js';
import { type DocumentTerms, documentTerms } from './word-index.js';

/** What a write changed in a collection, for the in-memory index. */
export interface CollectionChange {
  before: CollectionRecord;
  after: CollectionRecord;
  removed: { n: number; terms: DocumentTerms }[];
  added: IndexEntry[];
}

interface Change extends CollectionChange {
  touched: Touched;
}

interface StoredRow {
  seq: number;
  type: RowType;
  terms: Uint8Array | null;
}

/** All writes; every method must run inside a transaction. */
export class RowWriter {
  readonly #reader: RowReader;
  readonly #dimension: number;
  readonly #lessons: LessonWriter;
  readonly #addCollection: StatementSyncInstance;
  readonly #updateCollection: StatementSyncInstance;
  readonly #find: StatementSyncInstance;
  readonly #addRow: StatementSyncInstance;
  readonly #addContent: StatementSyncInstance;
  readonly #addName: StatementSyncInstance;
  readonly #addVote: StatementSyncInstance;
  readonly #removeRow: StatementSyncInstance;
  readonly #removeContent: StatementSyncInstance;
  readonly #removeName: StatementSyncInstance;
  readonly #removeVote: StatementSyncInstance;
  readonly #removeCollection: StatementSyncInstance;
  readonly #addMarker: StatementSyncInstance;
  readonly #removeMarker: StatementSyncInstance;
  readonly #expireMarkers: StatementSyncInstance;
  readonly #countRemoval: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance, reader: RowReader, dimension: number) {
    this.#reader = reader;
    this.#dimension = dimension;
    this.#lessons = new LessonWriter(db);
    // A random start: a collection that was removed and created again must not repeat a version of the former one.
    this.#addCollection = db.prepare(
      'INSERT INTO collections (id, removals) VALUES (?, abs(random() >> 16)) ON CONFLICT DO NOTHING',
    );
    this.#removeCollection = db.prepare('DELETE FROM collections WHERE id = ? AND row_count = 0');
    this.#updateCollection = db.prepare(
      `UPDATE collections SET next_n = ?, removals = ?, row_count = ?, insight_count = ?, term_count = ? WHERE no = ?`,
    );
    this.#find = db.prepare('SELECT seq, type, terms FROM rows WHERE collection = ? AND key = ?');
    this.#addRow = db.prepare(
      'INSERT INTO rows (seq, collection, key, type, accepted_at, vector, terms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#addContent = db.prepare('INSERT INTO contents (seq, intent, text, body) VALUES (?, ?, ?, ?)');
    this.#addName = db.prepare('INSERT OR REPLACE INTO names (seq, collection, name) VALUES (?, ?, ?)');
    this.#addVote = db.prepare(
      'INSERT INTO votes (seq, collection, about, key, token, helped, accepted_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#removeRow = db.prepare('DELETE FROM rows WHERE seq = ?');
    this.#removeContent = db.prepare('DELETE FROM contents WHERE seq = ?');
    this.#removeName = db.prepare('DELETE FROM names WHERE seq = ? RETURNING name');
    this.#removeVote = db.prepare('DELETE FROM votes WHERE seq = ? RETURNING about');
    const isMarker = 'collection_id = ?1 AND deleted_at = ?2 AND threshold = ?3 AND intent = ?4';
    this.#addMarker = db.prepare(
      `INSERT INTO markers (collection_id, deleted_at, threshold, intent, vector)
       SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM markers WHERE ${isMarker})`,
    );
    this.#removeMarker = db.prepare(`DELETE FROM markers WHERE ${isMarker}`);
    this.#expireMarkers = db.prepare('DELETE FROM markers WHERE deleted_at < ?');
    this.#countRemoval = db.prepare(
      `INSERT INTO about (name, value) VALUES ('removals', '1')
       ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
    );
  }

  createCollection(collectionId: string): void {
    this.#addCollection.run(collectionId);
  }

  removeIfEmpty(collectionId: string): void {
    this.#removeCollection.run(collectionId);
  }

  upsert(collectionId: string, rows: Row[]): CollectionChange {
    const collection = this.#reader.collection(collectionId);
    if (!collection) throw new AppError('collection_missing', 'The collection does not exist', { retryable: true });
    const change = unchanged(collection);
    for (const row of rows) {
      const key = keyOf(collectionId, row);
      if (row.vector.length !== this.#dimension) {
        throw new AppError(
          'invalid_argument',
          `A vector has ${row.vector.length} dimensions instead of ${this.#dimension}`,
        );
      }
      checkName(row);
      this.#remove(change, key);
      this.#add(change, key, row);
    }
    return this.#finish(change);
  }

  /** `undefined` if nothing was deleted. */
  deleteRows(collectionId: string, ids: string[]): CollectionChange | undefined {
    const collection = this.#reader.collection(collectionId);
    if (!collection) return undefined;
    const change = unchanged(collection);
    const prefix = `${collectionId}/`;
    for (const id of ids) {
      if (id.startsWith(prefix)) this.#remove(change, id.slice(prefix.length));
    }
    return change.after.removals === change.before.removals ? undefined : this.#finish(change);
  }

  addMarker({ collectionId, deletedAt, threshold, intent, vector }: DeletionMarker): void {
    this.#addMarker.run(collectionId, deletedAt, threshold, bytesOfText(intent), bytesOf(vector));
  }

  removeMarkers(markers: MarkerHead[]): void {
    for (const { collectionId, deletedAt, threshold, intent } of markers) {
      this.#removeMarker.run(collectionId, deletedAt, threshold, bytesOfText(intent));
    }
  }

  expireMarkers(deletedBefore: number): void {
    this.#expireMarkers.run(deletedBefore);
  }

  #add({ after, added, touched }: Change, key: string, row: Row): void {
    const n = after.next_n++;
    const seq = seqOf(after.no, n);
    const terms = row.type === 'insight' ? documentTerms(row.text) : null;
    const { type, acceptedAt, vector } = row;
    this.#addRow.run(seq, after.no, key, type, acceptedAt, bytesOf(vector), terms && bytesOf(terms));
    this.#addContent.run(seq, bytesOfText(row.intent), bytesOfText(row.text), bytesOfText(row.body));
    if (row.name) this.#addName.run(seq, after.no, row.name);
    this.#lessons.add(touched, after.no, seq, row);
    const vote = voteOf(row);
    if (vote) {
      this.#addVote.run(seq, after.no, vote.about, key, vote.tokenDigest, vote.helped ? 1 : 0, acceptedAt);
      this.#lessons.touchVoted(touched, vote.about);
    }
    after.row_count++;
    if (!terms) return;
    after.insight_count++;
    after.term_count += terms[0] as number;
    added.push({ n, key, vector, terms });
  }

  #remove({ after, added, removed, touched }: Change, key: string): void {
    const stored = this.#find.get(after.no, key) as StoredRow | undefined;
    if (!stored) return;
    this.#removeRow.run(stored.seq);
    this.#removeContent.run(stored.seq);
    const named = this.#removeName.get(stored.seq) as { name: string } | undefined;
    if (named) this.#lessons.remove(touched, after.no, stored.seq, named.name);
    if (stored.type === 'decision') touched.decisions.add(key.slice(0, key.indexOf('/')));
    const vote = this.#removeVote.get(stored.seq) as { about: string } | undefined;
    if (vote) this.#lessons.touchVoted(touched, vote.about);
    after.removals++;
    after.row_count--;
    if (!stored.terms) return;
    const terms = numbersOf(stored.terms);
    const n = stored.seq - seqOf(after.no, 0);
    after.insight_count--;
    after.term_count -= terms[0] as number;
    const addedNow = added.findIndex((entry) => entry.n === n);
    if (addedNow >= 0) added.splice(addedNow, 1);
    else removed.push({ n, terms });
  }

  #finish(change: Change): CollectionChange {
    const { next_n, removals, row_count, insight_count, term_count, no } = change.after;
    this.#updateCollection.run(next_n, removals, row_count, insight_count, term_count, no);
    if (removals > change.before.removals) this.#countRemoval.run();
    this.#lessons.finish(no, change.touched);
    return change;
  }
}

function unchanged(collection: CollectionRecord): Change {
  return { before: collection, after: { ...collection }, removed: [], added: [], touched: nothingTouched() };
}

/** The id without its collection. Every id contains its collection, so no write can reach another one. */
function keyOf(collectionId: string, { id, jobId, attempt, ordinal }: Row): string {
  const key = `${jobId}/${attempt}/${ordinal}`;
  if (id !== `${collectionId}/${key}` || !/^[^/\s]+\/[^/\s]+\/\d+$/.test(key)) {
    throw new AppError('invalid_argument', 'A row id must be <collection>/<job>/<attempt>/<ordinal> of its row');
  }
  return key;
}

function checkName({ type, name }: Row): void {
  if (!name || (type === 'insight' && isInsightName(name))) return;
  throw new AppError('invalid_argument', 'Only insights have names, as nameOfInsight builds them');
}
