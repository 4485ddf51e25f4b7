import type { lessons } from '../support/uploads.js';

/** All times are in milliseconds, of the clock of the process that runs the clients. */
export type Moment = number;

/** Subject of an upload; a deletion by intent covers one of these and no other. */
export type Topic = keyof typeof lessons;

/** A collection as its users know it. All its markers contain the tag, so that a text shows where it comes from. */
export interface Place {
  account: string;
  tenantId: string;
  tag: string;
}

/** One upload as its client remembers it. */
export interface SentUpload {
  /** A word that is in this upload only. */
  marker: string;
  /** Of its place. */
  tag: string;
  account: string;
  topic: Topic;
  /** With one, it is sent until acknowledged; without, once. */
  idempotencyKey?: string;
  /** When it was first sent. */
  begunAt: Moment;
  /** When the last answer came or timed out. */
  endedAt: Moment;
  /** One per 202. If empty, it may be stored or not. */
  jobIds: string[];
  /** How its job must end. */
  fate: 'completed' | 'failed';
}

/** One deletion by intent of everything of a topic in a place. */
export interface SentDeletion {
  tag: string;
  topic: Topic;
  begunAt: Moment;
  endedAt: Moment;
  /** Answered with 200; otherwise it may have deleted all, some or nothing. */
  done: boolean;
}

/** One answer about a job. */
export interface Sighting {
  jobId: string;
  gateway: string;
  begunAt: Moment;
  endedAt: Moment;
  /** `unknown` for a 404. */
  status: 'unknown' | 'processing' | 'completed' | 'failed';
  /** The whole record, as text. */
  record: string;
}

/** One row as an operator's export shows it. */
export interface StoredRow {
  id: string;
  collectionId: string;
  jobId: string;
  attempt: string;
  type: string;
  /** Everything that it says. */
  text: string;
}

/** What clients were promised and saw, and the final state. Plain data. */
export interface Evidence {
  uploads: readonly SentUpload[];
  deletions: readonly SentDeletion[];
  sightings: readonly Sighting[];
  /** Gateways that were asked for the jobs after the load, and since when. */
  gateways: readonly string[];
  quietSince: Moment;
  rows: readonly StoredRow[];
  /** What callers saw of others. */
  leaks: readonly string[];
  /** Answers that the interface does not define. */
  oddities: readonly string[];
}
