export { describeReindexing, type ReindexingHarness } from './describe-reindexing.js';
export { describeVectorStore } from './describe-vector-store.js';
export { createDirectionEmbedder } from './direction-embedder.js';
export { aCollection, aDeletion, anInsight, aReplacement, aRow, aVector, aVote } from './sample-rows.js';
export { byMeaning, byWords } from './search-one-way.js';
export { type ConformanceOptions, conformanceModel, type VectorStoreHarness } from './vector-store-harness.js';
