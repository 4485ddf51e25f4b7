export { type ApiKeys, createApiKeys, hasKeyShape, type ParsedKey, parseApiKey } from './api-keys.js';
export {
  accountPrefixOf,
  defaultCollectionIdOf,
  prefixOfCollection,
  workflowCollectionIdOf,
} from './collection-ids.js';
export { createEnhancementIds, type EnhancementIds, type ShownInsights } from './enhancement-ids.js';
export {
  createJobIds,
  type Idempotency,
  type JobIdParts,
  type JobIds,
  type JobOwner,
  newAttempt,
  readJobId,
} from './job-ids.js';
export { createRootSecrets, type RootSecrets } from './root-secrets.js';
export { createSeal, type Seal } from './seal.js';
