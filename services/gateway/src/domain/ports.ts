import type {
  ChangeSettingsRequest,
  ChangeSettingsResult,
  CountRunsRequest,
  CountRunsResult,
  DecideLessonRequest,
  DecideLessonResult,
  DeleteByIntentRequest,
  DeleteByIntentResult,
  DeleteLessonRequest,
  DeleteLessonResult,
  DescribeCollectionsRequest,
  DescribeCollectionsResult,
  EnhanceRequest,
  EnhanceResult,
  EraseCollectionRequest,
  EraseCollectionResult,
  FindDeletedRunsRequest,
  FindDeletedRunsResult,
  GetJobRequest,
  GetLessonRequest,
  GetLessonResult,
  GetOutcomesRequest,
  GetOutcomesResult,
  GetUsageRequest,
  GetUsageResult,
  GiveFeedbackRequest,
  GiveFeedbackResult,
  JobState,
  ListAuditRequest,
  ListAuditResult,
  ListLessonsRequest,
  ListLessonsResult,
  ListRunsRequest,
  ListRunsResult,
  WriteLessonRequest,
  WriteLessonResult,
} from '@whetstone/contracts';
import type { CollectionPlace, KnownCollection } from '@whetstone/identity';
import type { CallContext } from '@whetstone/platform';

/** What the gateway needs of the analyser. Rejects with AppError; `retryable` if retrying may help. */
export interface Enhancer {
  enhance(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult>;
}

/** What the gateway needs of the indexer. After a rejection, part of the deletion may have happened. */
export interface KnowledgeRemover {
  deleteByIntent(request: DeleteByIntentRequest, call: CallContext): Promise<DeleteByIntentResult>;
  eraseCollection(request: EraseCollectionRequest, call: CallContext): Promise<EraseCollectionResult>;
  findDeletedRuns(request: FindDeletedRunsRequest, call: CallContext): Promise<FindDeletedRunsResult>;
}

/** What people see and decide of lessons, at the indexer too. A result without a lesson: there is none. */
export interface LessonKeeper {
  /** Rejects with AppError `invalid_argument` if the cursor is not one of its own. */
  listLessons(request: ListLessonsRequest, call: CallContext): Promise<ListLessonsResult>;
  getLesson(request: GetLessonRequest, call: CallContext): Promise<GetLessonResult>;
  decideLesson(request: DecideLessonRequest, call: CallContext): Promise<DecideLessonResult>;
  deleteLesson(request: DeleteLessonRequest, call: CallContext): Promise<DeleteLessonResult>;
  writeLesson(request: WriteLessonRequest, call: CallContext): Promise<WriteLessonResult>;
  giveFeedback(request: GiveFeedbackRequest, call: CallContext): Promise<GiveFeedbackResult>;
  getOutcomes(request: GetOutcomesRequest, call: CallContext): Promise<GetOutcomesResult>;
  changeSettings(request: ChangeSettingsRequest, call: CallContext): Promise<ChangeSettingsResult>;
  describeCollections(request: DescribeCollectionsRequest, call: CallContext): Promise<DescribeCollectionsResult>;
}

/** What the gateway needs of status. */
export interface JobLookup {
  /** Called only with ids that verify. */
  getJob(request: GetJobRequest, call: CallContext): Promise<JobState>;
  /** Rejects with AppError `invalid_argument` if the cursor is not one of its own. */
  listRuns(request: ListRunsRequest, call: CallContext): Promise<ListRunsResult>;
  countRuns(request: CountRunsRequest, call: CallContext): Promise<CountRunsResult>;
}

/** Opens what is told of runs. Rejects with AppError `log_unavailable` if it cannot know which keys are destroyed. */
export interface DataKeyReader {
  /** The keys of a collection by their ids; `undefined` for one that is destroyed or unknown. */
  keysOf(collectionId: string): Promise<(dataKeyId: string) => Uint8Array | undefined>;
}

/** The collections of an account, the oldest first. Rejects like `keysOf`. */
export interface CollectionNames {
  collectionsOf(accountPrefix: string, limit: number, after?: CollectionPlace): Promise<KnownCollection[]>;
}

/** What status knows of the decisions and the requests of an account. Rejects with a retryable AppError. */
export interface ActivityReader {
  listAudit(request: ListAuditRequest, call: CallContext): Promise<ListAuditResult>;
  getUsage(request: GetUsageRequest, call: CallContext): Promise<GetUsageResult>;
}

/** Makes the raw uploads of a collection unreadable by destroying its data keys. */
export interface DataKeyEraser {
  /**
   * Takes the keys out of use: uploads that arrive from now on get others. Repeats what an erasure that was
   * interrupted left undone. Rejects with AppError `log_unavailable`.
   */
  retire(collectionId: string): Promise<DestroyKeys>;
}

/** Resolves once no gateway uses the retired keys and they are destroyed for good. */
export type DestroyKeys = (signal?: AbortSignal) => Promise<void>;
