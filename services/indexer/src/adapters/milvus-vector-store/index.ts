export { type MilvusConfig, milvusConfigOf, milvusConfigSchema } from './milvus-config.js';
export { type MilvusVectorStoreOptions, openMilvusVectorStore } from './milvus-vector-store.js';
export type { ShardSet } from './shards.js';
export { checkShardSet, dropShardSet, listShardSets, type ManageShardSetsOptions } from './shards.js';
