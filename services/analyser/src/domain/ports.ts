import type {
  AcceptedUpload,
  CitedEnhancement,
  DeadLetter,
  EncryptedUpload,
  GetJobRequest,
  GetRunsRequest,
  GetRunsResult,
  Insight,
  Interaction,
  JobEvent,
  JobOutcome,
  JobState,
  Micros,
  Producer,
  ReplaceRequest,
  ReplaceResult,
  RunTrail,
  SearchRequest,
  SearchResult,
  UnreadableMessage,
} from '@whetstone/contracts';
import type { DataKey } from '@whetstone/identity';
import type { CallContext, DependencyHealth } from '@whetstone/platform';

/** Why an insight was dropped. */
export const dropReasons = ['overrides_instructions', 'unvisited_host', 'secret', 'not_done', 'too_many'] as const;
export type DropReason = (typeof dropReasons)[number];
export type Dropped = Partial<Record<DropReason, number>>;

/** The result of reading one interaction. It may have no insights. */
export interface Reflection {
  /** The task; embedded for search and for deletion by intent. */
  intent: string;
  run: RunTrail;
  /** At most three. */
  insights: Insight[];
  /** Short names of the run's actions in normal form. */
  deeds: string[];
  /** Why there are no insights. */
  nothingBecause?: string;
  /** Dropped insights, counted by reason. */
  dropped?: Dropped;
  producer: Producer;
}

/** A run to be read. A large one stays packed in its message and is unpacked off the event loop. */
export type Run = Interaction | PackedRun;

export interface PackedRun {
  /** A message of the uploads topic, in its own buffer. */
  readonly message: Uint8Array;
  /** The data key of an encrypted one. */
  readonly key?: Uint8Array;
}

/** A message without its run, as untrusted as the message. */
export interface Outline {
  /** An UploadOutline if the message is valid. */
  value: unknown;
  /** Path of the first invalid part of its interaction. */
  misshapenAt?: string;
  /** Why the bytes cannot be decoded. */
  undecodable?: string;
}

/**
 * Turns runs into insights, off the event loop, within memory and time limits. Rejects with AppError `analysis_failed`
 * or `analysis_timeout`, which count as a failed attempt, or with a retryable AppError while an external dependency is
 * unavailable or no thread can be started.
 */
export interface InsightProducer {
  /** Calls `findOpposites` if it compares runs, and rejects with its errors. */
  produce(run: Run, signal: AbortSignal, findOpposites?: FindOpposites): Promise<Reflection>;
  /** Reads a message without loading its run. Needs no external dependency. */
  outline(packed: PackedRun, signal: AbortSignal): Promise<Outline>;
  /** External dependencies, and whether their last call succeeded. */
  dependencies?(): DependencyHealth[];
  close(): Promise<void>;
}

/**
 * A few runs at the same task, in the same collection, that their callers reported with the opposite outcome; nearest
 * task first. None if the outcome of the run itself is unknown.
 */
export type FindOpposites = (
  reading: Pick<Reflection, 'intent' | 'run'>,
  signal: AbortSignal,
) => Promise<readonly RunTrail[]>;

/** The indexer. Rejects with AppError; if it is `retryable`, waiting helps. */
export interface KnowledgeBase {
  search(request: SearchRequest, call: CallContext): Promise<SearchResult>;
  getRuns(request: GetRunsRequest, call: CallContext): Promise<GetRunsResult>;
  replace(request: ReplaceRequest, call: CallContext): Promise<ReplaceResult>;
}

/** The status service. */
export interface JobLookup {
  getJob(request: GetJobRequest, call: CallContext): Promise<JobState>;
}

/** Where the life of a job is written down. Both resolve once durable, and reject with AppError `log_unavailable`. */
export interface JobLog {
  appendEvent(event: JobEvent): Promise<void>;
  /** Also rejects with AppError `too_large`. */
  appendDeadLetter(letter: DeadLetter): Promise<void>;
}

/** An accepted upload without its run. */
export type UploadOutline = Omit<AcceptedUpload, 'interaction'> & {
  /** `query`: at least its beginning, if it can be read. */
  interaction: Omit<Interaction, 'query' | 'turns'> & { query?: string };
};

/** An accepted upload that is being processed. */
export interface UploadInHand extends UploadOutline {
  /** Absent if nobody can read it any more: its collection was erased, and its data key destroyed. */
  readonly run?: Run;
  /** The data key that the upload is encrypted with. */
  readonly dataKey?: DataKey;
  /** The whole upload for a dead letter, still encrypted if it was; otherwise decoded on the event loop. */
  whole(): Promise<AcceptedUpload | EncryptedUpload>;
}

/** A message that is not a valid upload. */
export interface NoUpload {
  /** Names the invalid part without quoting it. */
  problem: string;
  /** If at least the job can be read. */
  job?: JobReference | undefined;
}

export interface JobReference {
  jobId: string;
  acceptedAt: Micros;
}

/** One message of the uploads topic, possibly delivered again. */
export interface Delivery {
  /** From the message's headers. */
  readonly jobId?: string | undefined;
  /** When the log accepted the message. */
  readonly appendedAt: Micros;
  /**
   * Reads and validates the message in a thread. Rejects with AppError `analysis_failed` or `analysis_timeout` if that
   * exceeds the thread's limits, which may succeed later, or with a retryable AppError while no thread can be started or
   * its data key is not known; an invalid message is a result.
   */
  read(signal: AbortSignal): Promise<UploadInHand | NoUpload>;
  /** For messages that cannot be read in time: enough of them to give them up, on the event loop and without limits. */
  readToGiveUp(): Promise<UploadInHand | NoUpload>;
  /** The message as stored in the log. */
  raw(): UnreadableMessage;
}

export const jobStages = ['queued', 'analysing', 'storing', 'total'] as const;
export type JobStage = (typeof jobStages)[number];

/** Observes jobs for metrics. */
export interface JobObserver {
  stage(stage: JobStage, seconds: number): void;
  ended(outcome: JobOutcome | 'failed'): void;
  /** An attempt failed and another one follows. */
  retried(): void;
  deadLettered(): void;
  insightsDropped(reason: DropReason, count: number): void;
  /** The caller reported the outcome of a run that cites an enhancement. */
  outcomeTold(cited: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>, success: boolean): void;
}

/** Delays jobs in a process where other work has priority. */
export interface Pace {
  /** Resolves when the job may start; rejects if the signal aborts first. */
  turn(signal: AbortSignal): Promise<void>;
}
