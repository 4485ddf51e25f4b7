export { type ApplyTopicsOptions, applyTopics, type TopicReport } from './apply-topics.js';
export { type KafkaConfig, kafkaConfigOf, kafkaConfigSchema } from './kafka-config.js';
export { type KafkaEventLogOptions, openKafkaEventLog } from './open-kafka-event-log.js';
