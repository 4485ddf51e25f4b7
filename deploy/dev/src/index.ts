export { type Certificates, makeCertificates } from './certificates.js';
export type { Exit } from './child.js';
export type { Engine } from './engine.js';
export { cacheFolder } from './environment.js';
export type { SecuredKafka } from './kafka/secured-listeners.js';
export { type Kafka, type KafkaOptions, startKafka } from './kafka/start-kafka.js';
export { type Milvus, type MilvusOptions, startMilvus } from './milvus/start-milvus.js';
export { missingPrerequisites } from './missing-prerequisites.js';
export { type ReservedPort, reservePort } from './reserve-port.js';
