import type { JobOutcome, JobStatus, Micros } from './events.js';
import type { CitedEnhancement, Insight, InsightKind, Origin, RunShape, RunTrail, Votes } from './insight.js';

export interface EnhanceRequest {
  collectionId: string;
  inputText: string;
  context: Record<string, string>;
  agentType?: string;
}

export interface Recommendation {
  id: string;
  kind: InsightKind;
  title: string;
  /** As it stands in the response, example included. */
  text: string;
  similarity: number;
  /** Distinct runs that agree. */
  support: number;
  sourceJobIds: string[];
}

export interface EnhanceResult {
  /** The input, whole and first, then the recommendations; the input alone when there is nothing to say. */
  response: string;
  confidenceScore: number;
  enhancementId: string;
  recommendations: Recommendation[];
  /** The input was handed back unchanged, though there was something to say, to measure what saying it is worth. */
  holdout: boolean;
}

export interface ReplaceRequest {
  collectionId: string;
  jobId: string;
  /** Unique and time-ordered: attempts of one job compare as strings, a later one is greater. */
  attempt: string;
  /** The task in the caller's words; the indexer reduces what is too long to embed. */
  intent: string;
  run: RunTrail;
  insights: Insight[];
  origin: Origin;
  /** Present where the upload cites an answer of this collection. */
  cited?: CitedEnhancement;
}

export interface ReplaceResult {
  outcome: 'stored' | 'deleted' | 'superseded';
  insightsStored: number;
  /** The greatest attempt there is, where that is not this one: the next has to be greater, whatever the clocks say. */
  supersededBy?: string;
}

export interface SearchRequest {
  collectionId: string;
  /** What the task is: found by meaning and by words. */
  text: string;
  /** What surrounds the task: adds words to the search, not meaning. */
  contextText?: string;
  agentType?: string;
  /** What does not depend on what the task is: found by its words, and said of none how similar it is. */
  byWordsAlone?: boolean;
  limit: number;
}

export interface SearchHit {
  /** The row's id: a recommendation is cited by it. */
  id: string;
  insight: Insight;
  intent: string;
  /** Of the run that the insight was made from. */
  run: RunShape;
  origin: Origin;
  /** Cosine between the text searched for and the insight's intent; 0 where words alone were searched. */
  similarity: number;
  /** Where meaning and words agree on the order; comparable only within one result. */
  score: number;
  /** Absent where there are none. */
  votes?: Votes;
}

export interface SearchResult {
  hits: SearchHit[];
}

export interface GetRunsRequest {
  collectionId: string;
  /** At most 16. */
  jobIds: string[];
}

/** What the latest attempt at a job has left of its run. */
export interface StoredRun {
  jobId: string;
  run: RunTrail;
}

export interface GetRunsResult {
  /** In the order of the jobs; those of which nothing is stored are left out. */
  runs: StoredRun[];
}

export interface DeleteByIntentRequest {
  collectionId: string;
  intent: string;
  similarityThreshold: number;
  /** Arrival at the gateway: what was accepted until then goes, also if it is processed later. */
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
  /** Dry run only: at most 20, the least similar first. */
  matches: IntentMatch[];
}

export interface GetJobRequest {
  jobId: string;
}

/** What is known of a job. Processing without times: accepted, and nobody has written about it yet. `expired`: past the retention of records. */
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
  /** Failed by its deadline alone: nobody has written its end. */
  derived?: boolean;
}
