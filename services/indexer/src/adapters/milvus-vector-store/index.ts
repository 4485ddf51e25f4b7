export { checkShardSet, dropShardSet, listShardSets, type ManageShardSetsOptions } from './manage-shard-sets.js';
export { type MilvusConfig, milvusConfigOf, milvusConfigSchema } from './milvus-config.js';
export { type MilvusVectorStoreOptions, openMilvusVectorStore } from './milvus-vector-store.js';
export type { ShardSet } from './shard-names.js';
