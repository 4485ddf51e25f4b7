export { defaultModel, openLocalEmbedder } from './adapters/embedders/local-embedder.js';
export { embeddingModelOf, openEmbedder } from './adapters/embedders/open-embedder.js';
export { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
export { createIndexer, type IndexerService } from './create-indexer.js';
export {
  type ImportOptions,
  type ImportResult,
  importRows,
  type UpgradeOptions,
  type UpgradeResult,
  upgradeRows,
} from './domain/import-rows.js';
export { isInsightName } from './domain/insight-names.js';
export { embedIntent } from './domain/intent/similarity.js';
export type { Embedder, Row, RowType, VectorStore } from './domain/ports.js';
export { readOutcomes, type ToldOutcomes } from './domain/read-outcomes.js';
export { type ReindexOptions, type ReindexResult, reindex } from './domain/reindex.js';
export { hasIntent, type InsightBody, isSummary, type RunBody } from './domain/row-bodies.js';
export { rowIdOf } from './domain/rows.js';
export { voteVector } from './domain/votes.js';
export {
  type EmbeddingConfig,
  embeddingConfigOf,
  embeddingConfigSchema,
  indexerConfigOf,
  indexerConfigSchema,
} from './indexer-config.js';
