import type { lessons } from '../support/uploads.js';

/** All times are milliseconds of the one clock of the process that plays the clients. */
export type Moment = number;

/** What an upload is about; a deletion by intent takes one of these and nothing of the others. */
export type Topic = keyof typeof lessons;

/** A collection as its users know it. The tag is in every marker of it, so that a text shows where it comes from. */
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
  /** Sent again, with this, until it is acknowledged. Without one it is sent once. */
  idempotencyKey?: string;
  /** When it was sent for the first time. */
  begunAt: Moment;
  /** When the last answer came, or was no longer waited for. */
  endedAt: Moment;
  /** One for each 202. None: it may be there or not. */
  jobIds: string[];
  /** How its job has to end. */
  fate: 'completed' | 'failed';
}

/** One deletion by intent of everything of a topic in a place. */
export interface SentDeletion {
  tag: string;
  topic: Topic;
  begunAt: Moment;
  endedAt: Moment;
  /** Whether it was answered with 200; otherwise it may have deleted all, some or nothing. */
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

/** What clients were promised and saw, and what there is in the end. Plain data. */
export interface Evidence {
  uploads: readonly SentUpload[];
  deletions: readonly SentDeletion[];
  sightings: readonly Sighting[];
  /** Where jobs were asked for when all was quiet again, and since when. */
  gateways: readonly string[];
  quietSince: Moment;
  rows: readonly StoredRow[];
  /** What callers were shown of others. */
  leaks: readonly string[];
  /** Answers that the interface does not have. */
  oddities: readonly string[];
}
