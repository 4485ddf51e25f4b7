import type { EncryptedReport, JobOutcome, JobStatus, Micros } from './events.js';
import type { CitedEnhancement, Insight, InsightKind, Origin, RunShape, RunTrail, Tally, Votes } from './insight.js';
import type { CollectionSettings, LessonVerdict } from './lessons.js';

export interface EnhanceRequest {
  collectionId: string;
  inputText: string;
  context: Record<string, string>;
  agentType?: string;
  /** Also say of every candidate why it was told or not. */
  explain?: boolean;
  /** Several keys of the account may upload: what one of them taught is no agreement. */
  severalKeys?: boolean;
  /** Set for a long input, which the sender has read in a thread: it would hold up the event loop of the receiver. */
  searchTexts?: SearchTexts;
}

/** What to search for: the input and its context, each reduced to what it asks for. */
export interface SearchTexts {
  task: string;
  context: string;
}

/** A candidate for an answer, and what became of it. */
export interface Candidate {
  /** The lesson's id. */
  id: string;
  kind: InsightKind;
  title: string;
  /** The task that it was learnt at. */
  task: string;
  similarity: number;
  support: number;
  told: boolean;
  /** Why it was told or not: a short code, such as `below_floor`, and a sentence. */
  reason: string;
  because: string;
}

export interface Recommendation {
  /** The lesson: the first part of the name of the insight shown. */
  id: string;
  kind: InsightKind;
  title: string;
  /** As it appears in the response, example included. */
  text: string;
  similarity: number;
  /** Number of distinct runs that agree. */
  support: number;
  /** Of consolidated runs, the latest. */
  sourceJobIds: string[];
}

export interface EnhanceResult {
  /** The input, unchanged and first, followed by the recommendations, if any. */
  response: string;
  confidenceScore: number;
  enhancementId: string;
  recommendations: Recommendation[];
  /** Recommendations were withheld at random, to measure what they are worth. */
  holdout: boolean;
  /** If the request asks to explain; nearest first. */
  candidates?: Candidate[];
}

export interface ReplaceRequest {
  collectionId: string;
  jobId: string;
  /** Unique; compared as strings, a later attempt at a job is greater. */
  attempt: string;
  /** The task in the caller's words. The indexer shortens it for embedding. */
  intent: string;
  run: RunTrail;
  insights: Insight[];
  origin: Origin;
  /** Present if the upload cites an answer of this collection. */
  cited?: CitedEnhancement;
}

export interface ReplaceResult {
  outcome: 'stored' | 'deleted' | 'superseded';
  insightsStored: number;
  /** Of the insights that were stored. Absent from a service of an earlier version. */
  lessons?: StoredLesson[];
  /** The greatest attempt, if it is not this one. The next must be greater, whatever the clocks say. */
  supersededBy?: string;
}

export interface StoredLesson {
  /** The lesson's id. */
  id: string;
  title: string;
}

export interface SearchRequest {
  collectionId: string;
  /** The task, searched by meaning and by words. */
  text: string;
  /** The context of the task, searched by words only. */
  contextText?: string;
  agentType?: string;
  /** Searches by words only; the hits have no similarity. */
  byWordsAlone?: boolean;
  limit: number;
}

export interface SearchHit {
  /** The row id. */
  id: string;
  /** `<lesson>.<variant>.<task>`: the same whenever the same is learnt at the same task. Votes refer to it. */
  name: string;
  insight: Insight;
  intent: string;
  /** The run that taught the insight. */
  run: RunShape;
  origin: Origin;
  /** Cosine of the text and the insight's intent; 0 for a search by words only. */
  similarity: number;
  /** Fused rank of meaning and words; comparable only within one result. */
  score: number;
  /** Absent if there are none. Of several hits with one name, only the first has them. */
  votes?: Votes;
  /** Present if the hit stands for several runs; `origin` and `run` are then those of the latest. */
  tally?: Tally;
}

export interface SearchResult {
  hits: SearchHit[];
  /** What people decided about the lessons of the hits; lessons without a decision are omitted. */
  verdicts: LessonVerdict[];
  settings: CollectionSettings;
}

export interface GetRunsRequest {
  collectionId: string;
  /** At most 16. The name of an insight with a tally stands for the latest of its runs. */
  jobIds: string[];
}

/** The run as the latest attempt at its job stored it. */
export interface StoredRun {
  jobId: string;
  run: RunTrail;
}

export interface GetRunsResult {
  /** In the order of `jobIds`; jobs without a stored run are omitted. */
  runs: StoredRun[];
}

export interface DeleteByIntentRequest {
  collectionId: string;
  intent: string;
  similarityThreshold: number;
  /** Arrival at the gateway. Deletes what was accepted until then, even if it is processed later. */
  requestedAt: Micros;
  dryRun: boolean;
}

export interface IntentMatch {
  id: string;
  intent: string;
  similarity: number;
}

export interface DeleteByIntentResult {
  deletedCount: number;
  /** Dry run only: at most 20, least similar first. */
  matches: IntentMatch[];
  /** Dry run only: insights of the collection that are less similar and would stay. */
  remainingCount?: number;
}

/** A run as far as a deletion could cover it. */
export interface DeletableRun {
  /** The task in the caller's words, or its beginning. */
  intent: string;
  acceptedAt: Micros;
  /** Ids of the lessons that it taught. */
  lessons: string[];
}

export interface FindDeletedRunsRequest {
  collectionId: string;
  /** At most 200. */
  runs: DeletableRun[];
  /** Whether to tell the lessons, too. */
  withLessons?: boolean;
}

export interface FindDeletedRunsResult {
  /** For each run whether a later deletion covers it: by its intent, of all its lessons, or of everything. */
  deleted: boolean[];
  /** For each run, if asked for: of its lessons those that still exist and were not deleted since. */
  lessons: RunLessons[];
}

export interface RunLessons {
  /** With their present titles. */
  lessons: StoredLesson[];
}

export interface DescribeCollectionsRequest {
  /** At most 200. */
  collectionIds: string[];
}

export interface CollectionDescription {
  collectionId: string;
  insights: number;
  settings: CollectionSettings;
}

export interface DescribeCollectionsResult {
  /** In the order of the ids. */
  collections: CollectionDescription[];
}

export interface EraseCollectionRequest {
  collectionId: string;
  /** Arrival at the gateway. Erases what was accepted until then, even if it is processed later. */
  requestedAt: Micros;
}

export interface EraseCollectionResult {
  /** Insights. */
  deletedCount: number;
}

export interface GetJobRequest {
  jobId: string;
  /** If the job is still processing: answer when it ends, or after so long. A replica that stops answers earlier. */
  waitMs?: number;
  /** Also return the report. */
  withReport?: boolean;
}

/** `processing` without times: accepted, but no event yet. `expired`: past the retention of records. */
export interface JobState {
  jobId: string;
  status: JobStatus | 'expired';
  acceptedAt?: Micros;
  startedAt?: Micros;
  completedAt?: Micros;
  insightsStored?: number;
  outcome?: JobOutcome;
  reason?: string;
  failedAt?: Micros;
  errorMessage?: string;
  collectionId?: string;
  success?: boolean;
  learntAt?: Micros;
  /** Only if the request asks for it. */
  report?: EncryptedReport;
}

export interface ListRunsRequest {
  collectionId: string;
  status?: JobStatus;
  success?: boolean;
  /** At most 200. */
  limit: number;
  /** From the previous page. */
  cursor?: string;
}

export interface ListRunsResult {
  /** Latest first, with their reports. Jobs that nobody has started are not listed. */
  runs: JobState[];
  /** Absent on the last page. */
  cursor?: string;
}

export interface CountRunsRequest {
  /** At most 200. */
  collectionIds: string[];
}

export interface RunCount {
  collectionId: string;
  /** Jobs that are listed. */
  runs: number;
  /** When the latest of them was accepted. */
  lastAcceptedAt: Micros;
}

export interface CountRunsResult {
  /** In no order; collections without runs are omitted. */
  counts: RunCount[];
}
