import type { CollectionSettings, InsightKind, LessonState, LessonVerdict, Votes } from '@whetstone/contracts';

/**
 * The record of one run, one insight, one vote on an insight, or one decision about a lesson or the settings. Only
 * insights are searched.
 */
export type RowType = 'run' | 'insight' | 'vote' | 'decision';

/**
 * Rows are immutable: written once, then deleted, never changed in place. A consolidated insight has its name in the
 * place of the job, a decision its lesson.
 */
export interface Row {
  /** `<collection>/<job>/<attempt>/<ordinal>`: rows of different collections never share an id. */
  id: string;
  /** Of an insight, see `nameOfInsight`; empty for others, and for insights stored before they had names. */
  name: string;
  collectionId: string;
  jobId: string;
  attempt: string;
  ordinal: number;
  type: RowType;
  acceptedAt: number;
  intent: string;
  /** Of the intent; unit length. */
  vector: Float32Array;
  /** Text for word search; empty unless the row is an insight. */
  text: string;
  /** JSON, at most 65,535 bytes. */
  body: string;
}

/** A row without its content, for scanning a whole collection. */
export type RowHead = Omit<Row, 'text' | 'body'>;

export interface PageOptions {
  /** Last id of the previous page; absent: start at the beginning. */
  after?: string;
  limit: number;
}

/** A page of rows of one type, or of all. */
export interface RowPage extends PageOptions {
  type?: RowType;
}

/** A task to find insights for, by meaning and by words. */
export interface InsightQuery {
  /**
   * A promise lets the store search by words while the task is embedded; if it rejects, so does the search. Absent:
   * search by words only.
   */
  vector?: Float32Array | Promise<Float32Array>;
  text: string;
  /** Per list; at most 16,384. */
  limit: number;
}

/** The parts of a found insight that an answer needs. */
export interface FoundInsight extends Pick<Row, 'id' | 'jobId' | 'attempt' | 'intent' | 'body'> {
  /** Cosine of the insight's vector and the query's, -1 to 1; 0 if the query has no vector. */
  similarity: number;
}

/** The votes on one insight. Each answer counts once: of several rows for it, the one accepted first. */
export interface VoteCount extends Votes {
  /** As `voteNameOf` builds it; of older votes `<job>/<ordinal>`. */
  about: string;
}

/** A vote without the upload that cast it. */
export interface DatedVote {
  id: string;
  about: string;
  tokenDigest: string;
  helped: boolean;
  acceptedAt: number;
}

/** The right to consolidate a collection. It outlives a holder that crashed, and so tells which collections to check. */
export interface Lease {
  collectionId: string;
  holder: string;
  expiresAt: number;
}

export interface FoundInsights {
  /** Highest cosine first; ties by id. If more insights tie than fit, which of them are returned is undefined. */
  byMeaning: FoundInsight[];
  /**
   * Insights that share words with the text, ranked by BM25; ties by id. Word statistics cover this collection only; if
   * very many insights share words with the text, they cover the most likely candidates.
   */
  byWords: FoundInsight[];
  /** Votes on the insights in both lists, by either name, in no order; of hundreds on one insight, only a part. */
  votes: VoteCount[];
  /** Of the lessons of the insights in both lists that people decided about, in no order. */
  verdicts: LessonVerdict[];
  /** May be empty if nothing was found. */
  settings: CollectionSettings;
}

/** Lessons by id, or a page of them in an order. */
export type LessonQuery = { ids: string[] } | LessonPage;

export interface LessonPage {
  /** Descending by the time last seen, the support, or the harm; ties descending by id. */
  sort: 'recent' | 'support' | 'harm';
  limit: number;
  /** The last of the previous page: what it is sorted by, and its id. */
  after?: { value: number; id: string };
  /** Of the latest insight, as is the agent type. */
  kind?: InsightKind;
  agentType?: string;
  state?: LessonState;
}

/** What all insights of a lesson amount to. */
export interface FoundLesson extends Votes, Pick<Row, 'intent' | 'body'> {
  id: string;
  /** The runs of consolidated insights, and distinct runs of the others. */
  support: number;
  firstSeen: number;
  /** Of the latest insight, whose intent and body these are. */
  lastSeen: number;
}

export interface FoundLessons {
  lessons: FoundLesson[];
  /** About these lessons, in no order. */
  verdicts: LessonVerdict[];
  settings: CollectionSettings;
}

/**
 * Records a deletion, so that uploads accepted before it do not bring the knowledge back. Identified by its collection,
 * intent, threshold and time.
 */
export interface DeletionMarker {
  collectionId: string;
  intent: string;
  vector: Float32Array;
  threshold: number;
  deletedAt: number;
}

/** A marker without its vector, for managing markers: a thousand vectors take long to read. */
export type MarkerHead = Omit<DeletionMarker, 'vector'>;

/**
 * Stores rows by collection; no operation on one collection sees another.
 *
 * Every method except `createCollection` and `upsert` treats a missing collection as empty; none but `createCollection`
 * creates one. `upsert` is durable once it resolves. Strong reads see every write and deletion that resolved before the
 * read began, in any process; a search may be configured to lag behind in a cluster. Rejects with AppError
 * `store_unavailable` (retryable) or `shard_full` (not retryable).
 */
export interface VectorStore {
  hasCollection(collectionId: string): Promise<boolean>;
  countCollections(prefix: string): Promise<number>;
  /** Does nothing if the collection exists. */
  createCollection(collectionId: string): Promise<void>;
  /** Ids of all collections. */
  listCollections(): Promise<string[]>;
  /**
   * Removes the collection if it has no rows, unless the store cannot do that without losing rows that are written at
   * the same time. A write that finds its collection removed is rejected with AppError `collection_missing`.
   */
  removeIfEmpty(collectionId: string): Promise<void>;

  /**
   * Writes all rows or none; replaces rows of the same id. Rejects with AppError `collection_missing` if the collection
   * does not exist, and `invalid_argument` if an id does not match its row or a vector has the wrong dimension.
   */
  upsert(collectionId: string, rows: Row[]): Promise<void>;
  /** Strong. */
  countInsights(collectionId: string): Promise<number>;
  /** Rows of all types, ascending by id. Strong. */
  rowsOfJobs(collectionId: string, jobIds: string[]): Promise<Row[]>;
  /** Insights with these names, ascending by id. Strong. */
  rowsNamed(collectionId: string, names: string[]): Promise<Row[]>;
  /** Strong; ascending by id. A page shorter than its limit is the last. */
  page(collectionId: string, options: RowPage): Promise<Row[]>;
  /** Like `page`, rows of all types without their content. */
  pageHeads(collectionId: string, options: PageOptions): Promise<RowHead[]>;
  /** Ignores unknown ids. Resolves once the deletion is durable. */
  deleteRows(collectionId: string, ids: string[]): Promise<void>;

  /** The votes on these insights, in no order, at most `limit` and at most 16,384. Strong. */
  votesOn(collectionId: string, insights: string[], limit: number): Promise<DatedVote[]>;

  /** Strong if by id, then in no order; a page may lag behind in a cluster. Only insights with names make lessons. */
  lessons(collectionId: string, query: LessonQuery): Promise<FoundLessons>;
  /** The insights of a lesson, those that were seen last first. Strong. */
  insightsOf(collectionId: string, lesson: string, limit: number): Promise<Row[]>;

  /** Searches insights by meaning and by words; concurrent changes may show in only one of the lists. */
  search(collectionId: string, query: InsightQuery): Promise<FoundInsights>;

  /** Does nothing if the marker exists. */
  addMarker(marker: DeletionMarker): Promise<void>;
  /** Those that can cover what was accepted at `from` or later, in order of time. Strong. */
  markers(collectionId: string, from: number): Promise<DeletionMarker[]>;
  /** All of a collection. Strong. */
  markerHeads(collectionId: string): Promise<MarkerHead[]>;
  /** Like `markers`, of all collections, including missing ones. */
  listMarkers(from: number): Promise<DeletionMarker[]>;
  /** Of collections with this prefix, including missing ones. Strong. */
  countMarkers(prefix: string): Promise<number>;
  /** Ignores unknown ones. */
  removeMarkers(markers: MarkerHead[]): Promise<void>;
  expireMarkers(deletedBefore: number): Promise<void>;

  /**
   * Takes or extends the lease; false if another holder has one that has not expired at `now`. Two holders are possible
   * if their clocks differ: a lease only saves double work.
   */
  acquireLease(lease: Lease, now: number): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;
  /** Of all collections, expired ones too. */
  listLeases(): Promise<Lease[]>;

  stats(): Promise<{ rows: number; collections: number }>;
  close(): Promise<void>;
}

export type EmbeddingPriority = 'interactive' | 'background';

export interface EmbeddingModel {
  name: string;
  dimension: number;
}

/** Turns a text into a unit vector; equal texts give equal vectors. Callers must not modify the vector. */
export interface Embedder {
  /** Part of shard names, so that vectors of two models never mix. */
  readonly model: EmbeddingModel;
  /** `interactive` texts go before waiting `background` texts. Rejects with a retryable AppError. */
  embed(text: string, priority: EmbeddingPriority): Promise<Float32Array>;
  close(): Promise<void>;
}
