import type { Votes } from '@whetstone/contracts';

/** A row's type: the trail of one run, one lesson, or one vote on a lesson. Only insights are searched. */
export type RowType = 'run' | 'insight' | 'vote';

/** Rows are evidence: written once, deleted, never merged in place. */
export interface Row {
  /** `<collection>/<job>/<attempt>/<ordinal>`: two rows of different collections can never have one id. */
  id: string;
  collectionId: string;
  jobId: string;
  attempt: string;
  ordinal: number;
  type: RowType;
  acceptedAt: number;
  intent: string;
  /** Of the intent; unit length. */
  vector: Float32Array;
  /** What words are searched in; empty where the row is not an insight. */
  text: string;
  /** JSON of what the row says, at most 65,535 bytes. */
  body: string;
}

/** A row without its content: what deletion by intent goes through, however many there are. */
export type RowHead = Omit<Row, 'text' | 'body'>;

export interface PageOptions {
  /** The last id of the page before; absent: from the beginning. */
  after?: string;
  limit: number;
}

/** A task to find insights for: its meaning, and its words. */
export interface InsightQuery {
  /**
   * May still be on its way: until then the words are searched. What it is rejected with, the search is rejected with. Absent: the
   * words alone are searched.
   */
  vector?: Float32Array | Promise<Float32Array>;
  text: string;
  /** Of each of the two lists; at most 16,384. */
  limit: number;
}

/** An insight that a search has found: of its row what an answer is made of. */
export interface FoundInsight extends Pick<Row, 'id' | 'jobId' | 'attempt' | 'intent' | 'body'> {
  /** The cosine of its vector and the query's, -1 to 1; 0 where the query has none. */
  similarity: number;
}

/** The votes on one insight. One answer has one vote: of several rows, the one that was accepted first counts. */
export interface VoteCount extends Votes {
  /** The insight, by what stays the same of it from attempt to attempt: `<job>/<ordinal>`. */
  about: string;
}

export interface FoundInsights {
  /** Those with the highest cosine, best first; equal ones by id, but which of many equal ones these are is not said. */
  byMeaning: FoundInsight[];
  /**
   * Those that share words with the text, best first by BM25; equal ones by id. Words are counted within the collection,
   * never among what others hold; where very many insights share words with the text, among the likeliest of them.
   */
  byWords: FoundInsight[];
  /** Of those of them that have any, in no order; where an insight has hundreds, of a part of them. */
  votes: VoteCount[];
}

/** A deletion by intent, remembered so that what was accepted before it does not come back after it. */
export interface DeletionMarker {
  collectionId: string;
  intent: string;
  vector: Float32Array;
  threshold: number;
  deletedAt: number;
}

/**
 * Where knowledge lives: rows by collection, one collection never seen from another.
 *
 * Every method but `createCollection` treats a collection that does not exist as an empty one and does not create it.
 * `upsert` is durable when it resolves. Reads called strong see every write and delete that was resolved, by whichever
 * process, before they were called; searches may lag behind by a moment in a cluster. Rejects with AppError
 * `store_unavailable` (retryable) or `shard_full` (not).
 */
export interface VectorStore {
  hasCollection(collectionId: string): Promise<boolean>;
  countCollections(prefix: string): Promise<number>;
  /** Does nothing where the collection exists. */
  createCollection(collectionId: string): Promise<void>;
  /** Ids of all collections, for export. */
  listCollections(): Promise<string[]>;

  /**
   * All rows in one request, all or none of them; a row of the same id is replaced. Rejects with AppError `invalid_argument`
   * where the collection does not exist, an id is not made of the row's own parts, or a vector has another dimension.
   */
  upsert(collectionId: string, rows: Row[]): Promise<void>;
  /** Strong. */
  rowsOfJob(collectionId: string, jobId: string): Promise<Row[]>;
  /** Strong; rows of all types, ascending by id. A page shorter than its limit is the last. */
  page(collectionId: string, options: PageOptions): Promise<Row[]>;
  /** The same without the content of the rows. */
  pageHeads(collectionId: string, options: PageOptions): Promise<RowHead[]>;
  /** Ids that are not there are no error. Resolves when the deletion is durable. */
  deleteRows(collectionId: string, ids: string[]): Promise<void>;

  /** Ids of the votes on these insights, in no order, at most `limit` and at most 16,384. Strong. */
  votesOn(collectionId: string, insights: string[], limit: number): Promise<string[]>;

  /** Searches insights both ways at once; what comes or goes meanwhile may be in one of the lists only. */
  search(collectionId: string, query: InsightQuery): Promise<FoundInsights>;

  addMarker(marker: DeletionMarker): Promise<void>;
  /** Strong. */
  markers(collectionId: string): Promise<DeletionMarker[]>;
  /** Of all collections, also of those that do not exist. Strong. */
  listMarkers(): Promise<DeletionMarker[]>;
  expireMarkers(deletedBefore: number): Promise<void>;

  stats(): Promise<{ rows: number; collections: number }>;
  close(): Promise<void>;
}

export type EmbeddingPriority = 'interactive' | 'background';

/** Turns one text into one unit vector; the same text always into the same one. Callers do not write into it. */
export interface Embedder {
  /** Names model and dimension; part of the shard's name, so that vectors of two models never meet. */
  readonly model: { name: string; dimension: number };
  /** `interactive` goes before everything that waits in the `background`. Rejects with a retryable AppError. */
  embed(text: string, priority: EmbeddingPriority): Promise<Float32Array>;
  close(): Promise<void>;
}
