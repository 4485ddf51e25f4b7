export { type ApiKeys, createApiKeys, hasKeyShape, type ParsedKey, parseApiKey } from './api-keys.js';
export {
  accountPrefixOf,
  defaultCollectionIdOf,
  prefixOfCollection,
  workflowCollectionIdOf,
} from './collection-ids.js';
export {
  createEnhancementIds,
  type EnhancementIds,
  type OpenedEnhancement,
  type ShownInsight,
  type ShownInsights,
} from './enhancement-ids.js';
export {
  createJobIds,
  type Idempotency,
  type JobIdParts,
  type JobIds,
  type JobOwner,
  newAttempt,
  readJobId,
} from './job-ids.js';
export { type IssuedKey, issueKey, type KeyRequest, keyOfKeyEvent, type Revocation, revokeKey } from './key-events.js';
export { type AuthenticatedKey, createKeyRing, type KeyRecord, type KeyRing, type KeyRingOptions } from './key-ring.js';
export { rootSecretConfigSchema, rootSecretsOf } from './root-secret-config.js';
export { readOrCreateRootSecrets, readRootSecrets } from './root-secret-file.js';
export { createRootSecrets, type RootSecrets } from './root-secrets.js';
export { createSeal, type Seal } from './seal.js';
