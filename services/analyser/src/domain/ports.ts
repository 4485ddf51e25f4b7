import type {
  AcceptedUpload,
  CitedEnhancement,
  DeadLetter,
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
import type { CallContext, DependencyHealth } from '@whetstone/platform';

/** Why an insight that was made is not kept. */
export const dropReasons = ['overrides_instructions', 'unvisited_host', 'secret', 'not_done', 'too_many'] as const;
export type DropReason = (typeof dropReasons)[number];
export type Dropped = Partial<Record<DropReason, number>>;

/** What reading one interaction yields. No insights is a proper result: there was nothing to learn. */
export interface Reflection {
  /** The task in general words; what is embedded for finding and for deletion by intent. */
  intent: string;
  run: RunTrail;
  /** At most three. */
  insights: Insight[];
  /** What the run did, by the short names of its actions in normal form. */
  deeds: string[];
  /** Why there are no insights. */
  nothingBecause?: string;
  /** Insights that were made and not kept, counted by why. */
  dropped?: Dropped;
  producer: Producer;
}

/** A run on its way to whoever reads it: a large one stays packed in its message, and is unpacked off the event loop only. */
export type Run = Interaction | PackedRun;

export interface PackedRun {
  /** The message of the uploads topic, in a buffer of its own. */
  readonly message: Uint8Array;
}

/** What a message says beside its run, as untrusted as the message. */
export interface Outline {
  /** In the shape of an UploadOutline if all is well. */
  value: unknown;
  /** The place in its interaction that has a wrong shape. */
  misshapenAt?: string;
  /** Why its bytes are no message at all. */
  undecodable?: string;
}

/**
 * Turns runs into insights, off the event loop, within memory and time limits.
 * Rejects with AppError `analysis_failed` or `analysis_timeout`; both count as a failed try of this message. Where it works
 * with something outside of the process, it rejects with a retryable AppError while that is away.
 */
export interface InsightProducer {
  /** What other runs at the task did may say more than the run itself: who asks for them gets them, and rejects as that does. */
  produce(run: Run, signal: AbortSignal, findOpposites?: FindOpposites): Promise<Reflection>;
  /** Reads a message without bringing its run here. Works with nothing outside of the process. */
  outline(packed: PackedRun, signal: AbortSignal): Promise<Outline>;
  /** What it needs outside of the process, and whether that did its part when it was last asked. */
  dependencies?(): DependencyHealth[];
  close(): Promise<void>;
}

/**
 * The runs at the same task, in the same collection, whose callers said that they ended the other way: few, those with the
 * nearest task first. None where it is not known how the run itself ended.
 */
export type FindOpposites = (
  reading: Pick<Reflection, 'intent' | 'run'>,
  signal: AbortSignal,
) => Promise<readonly RunTrail[]>;

/** The indexer, as the analyser needs it. Rejects with AppError; `retryable` means that waiting helps. */
export interface KnowledgeBase {
  search(request: SearchRequest, call: CallContext): Promise<SearchResult>;
  getRuns(request: GetRunsRequest, call: CallContext): Promise<GetRunsResult>;
  replace(request: ReplaceRequest, call: CallContext): Promise<ReplaceResult>;
}

/** The status service, as the analyser needs it. */
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
  interaction: Omit<Interaction, 'query' | 'turns'>;
};

/** An accepted upload that is worked on. */
export interface UploadInHand extends UploadOutline {
  readonly run: Run;
  /** All of it, on the event loop: for what is given up. */
  whole(): Promise<AcceptedUpload>;
}

/** What stands in the place of an upload. */
export interface NoUpload {
  /** Names the place and never quotes what stands there. */
  problem: string;
  /** Where at least that can be read. */
  job?: JobReference | undefined;
}

export interface JobReference {
  jobId: string;
  acceptedAt: Micros;
}

/** One message of the uploads topic, as the log delivered it; maybe not for the first time. */
export interface Delivery {
  /** The job, where the message names it outside of what it says. */
  readonly jobId?: string | undefined;
  /** When the log took the message. */
  readonly appendedAt: Micros;
  /**
   * What the message says, checked. Rejects with AppError `analysis_failed` or `analysis_timeout` where reading it was more than
   * a thread may take, which may go better another time; everything else that is wrong is an answer.
   */
  read(signal: AbortSignal): Promise<UploadInHand | NoUpload>;
  /** The same on the event loop, however long it takes: for what no thread could read. */
  readHere(): Promise<UploadInHand | NoUpload>;
  /** The message as it stands in the log. */
  raw(): UnreadableMessage;
}

export const jobStages = ['queued', 'analysing', 'storing', 'total'] as const;
export type JobStage = (typeof jobStages)[number];

/** Hears what becomes of jobs; for metrics, so nothing depends on it. */
export interface JobObserver {
  stage(stage: JobStage, seconds: number): void;
  ended(outcome: JobOutcome | 'failed'): void;
  /** A try has failed and another one follows. */
  retried(): void;
  deadLettered(): void;
  insightsDropped(reason: DropReason, count: number): void;
  /** A run that was made with an answer of ours has ended, and its caller has said how. */
  outcomeTold(cited: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>, success: boolean): void;
}

/** Says when the next job may begin, for a process in which something else goes first. */
export interface Pace {
  /** Resolves when it is this job's turn; rejects when the signal is aborted meanwhile. */
  turn(signal: AbortSignal): Promise<void>;
}
