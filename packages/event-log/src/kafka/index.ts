export { type KafkaConfig, kafkaConfigOf, kafkaConfigSchema } from './kafka-config.js';
export { type KafkaEventLogOptions, openKafkaEventLog } from './open-kafka-event-log.js';
export { type ApplyTopicsOptions, applyTopics, type TopicReport } from './topics/apply-topics.js';
