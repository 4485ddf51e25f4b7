export {
  type ApiKeys,
  createApiKeys,
  hasKeyShape,
  issueKey,
  type KeyRequest,
  keyOfKeyEvent,
  longestLife,
  parseApiKey,
  revokeKey,
} from './api-keys.js';
export { type AuditTrail, createAuditTrail, type Decision, decisionOnKey, tenantOfEntry } from './audit-trail.js';
export { type CallTokens, createCallTokens, type TokenProblem } from './call-tokens.js';
export {
  accountPrefixOf,
  defaultCollectionIdOf,
  prefixOfCollection,
  workflowCollectionIdOf,
} from './collection-ids.js';
export {
  type CollectionPlace,
  createDataKey,
  createDataKeyRing,
  type DataKey,
  type DataKeyRing,
  type KnownCollection,
  keyOfDataKeyEvent,
} from './data-keys.js';
export {
  armOf,
  createEnhancementIds,
  type EnhancementIds,
  type OpenedEnhancement,
  type ShownInsights,
} from './enhancement-ids.js';
export {
  createJobIds,
  type Idempotency,
  type JobIds,
  newAttempt,
  readJobId,
} from './job-ids.js';
export { createKeyRing, type KeyRecord, type KeyRing, type KeyStatus, statusOfKey } from './key-ring.js';
export {
  readOrCreateRootSecrets,
  readRootSecrets,
  rootSecretConfigSchema,
  rootSecretsOf,
} from './root-secret-sources.js';
export { createRootSecrets, type RootSecrets } from './root-secrets.js';
export { decryptReport, encryptReport } from './run-reports.js';
export { createSeal, type Seal } from './seal.js';
export { createSessions, type Session, type Sessions } from './sessions.js';
