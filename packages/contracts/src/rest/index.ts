export {
  type AuditList,
  type AuditQuery,
  readGetUsageQuery,
  readListAuditQuery,
  type UpliftAnswer,
  type UsageAnswer,
} from './activity.js';
export type { BatchResult, LineResult } from './batch-result.js';
export { type BodyCheckOptions, type BodyChecks, type Checked, createBodyChecks } from './body-checks.js';
export {
  type CollectionAnswer,
  type CollectionChange,
  type CollectionList,
  type CollectionSettingsAnswer,
  readListCollectionsQuery,
} from './collection-settings.js';
export { readDateTime } from './date-time.js';
export { type DeleteByIntentQuery, readDeleteByIntentQuery } from './delete-by-intent-query.js';
export { type EraseCollectionQuery, readEraseCollectionQuery } from './erase-collection-query.js';
export { readEnhanceTaskQuery } from './explain.js';
export {
  type ApiKey,
  expiresOutOfRange,
  type IssuedKeyAnswer,
  type KeyList,
  type KeyRequestBody,
  type RevokeKeyQuery,
  readRevokeKeyQuery,
} from './keys.js';
export { type KnowledgeStatusQuery, readKnowledgeStatusQuery } from './knowledge-status-query.js';
export {
  type ListLessonsQuery,
  readListLessonsQuery,
  readTenantQuery,
} from './lesson-queries.js';
export type {
  Feedback,
  FeedbackResult,
  LessonAnswer,
  LessonChange,
  LessonDetails,
  LessonList,
  NewLesson,
} from './lessons.js';
export { apiVersion, openApiDocument } from './openapi/document.js';
export { boundProblems, maxProblems, notPrintable, type Problem, problem, tooLong, tooShort } from './problems.js';
export { noSuchCursor, type Page } from './query-parameters.js';
export {
  type AgentInput,
  type AgentKnowledgeUpload,
  type AgentTurn,
  readLenientBoolean,
  tenantIdSchema,
} from './requests.js';
export type {
  DeleteResult,
  EnhancedResponse,
  EraseResult,
  JobRecord,
  ServiceStatus,
  StoreAcknowledgement,
} from './responses.js';
export { explainScope, type OperationId, type Route, routes, scopeMissing } from './routes.js';
export { type ListRunsQuery, type RunAnswer, type RunDetails, type RunList, readListRunsQuery } from './runs.js';
