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
export type { InsightBody, RunBody } from './domain/build-rows.js';
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
} from './domain/ports.js';
export { reduceToIntent } from './domain/reduce-to-intent.js';
export {
  type ReindexDeps,
  type ReindexOptions,
  type ReindexProgress,
  type ReindexResult,
  reindex,
} from './domain/reindex.js';
export { rowIdOf } from './domain/row-id.js';
export { type IndexerConfig, indexerConfigOf, indexerConfigSchema, type LocalIndexerConfig } from './indexer-config.js';
