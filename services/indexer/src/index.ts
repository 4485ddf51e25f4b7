export {
  defaultModel,
  type LocalEmbedderOptions,
  openLocalEmbedder,
} from './adapters/local-embedder/local-embedder.js';
export {
  type LocalVectorStoreOptions,
  openLocalVectorStore,
} from './adapters/local-vector-store/local-vector-store.js';
export { createIndexer, type IndexerDeps, type IndexerService } from './create-indexer.js';
export { embedIntent } from './domain/embed-intent.js';
export { type ImportOptions, type ImportResult, importRows } from './domain/import-rows.js';
export type {
  DeletionMarker,
  Embedder,
  EmbeddingPriority,
  FoundInsight,
  FoundInsights,
  InsightQuery,
  PageOptions,
  Row,
  RowHead,
  RowType,
  VectorStore,
  VoteCount,
} from './domain/ports.js';
export { reduceToIntent } from './domain/reduce-to-intent.js';
export {
  type ReindexDeps,
  type ReindexOptions,
  type ReindexProgress,
  type ReindexResult,
  reindex,
} from './domain/reindex.js';
export type { InsightBody, RunBody } from './domain/row-bodies.js';
export { rowIdOf } from './domain/row-id.js';
export { type UpgradeDeps, type UpgradeOptions, type UpgradeResult, upgradeRows } from './domain/upgrade-rows.js';
export { directionOfVotes, type VoteBody } from './domain/vote-rows.js';
export { type EmbeddingConfig, embeddingConfigOf, embeddingConfigSchema } from './embedding-config.js';
export { type IndexerConfig, type IndexerPartsConfig, indexerConfigOf, indexerConfigSchema } from './indexer-config.js';
export { embeddingModelOf, type OpenEmbedderOptions, openEmbedder } from './open-embedder.js';
