export { type MilvusConfig, milvusConfigOf, milvusConfigSchema } from './milvus-config.js';
export { type MilvusVectorStoreOptions, openMilvusVectorStore } from './milvus-vector-store.js';
