export type { DetachedConsumer, DetachedConsumerOptions } from './detached/detached-consumer.js';
export { createDetachedConsumer } from './detached/detached-consumer.js';
export { FairPool } from './detached/fair-pool.js';
export {
  appendAuditEntry,
  appendUsage,
  collectionOfUploadKey,
  endOfTrace,
  isEndOfTrace,
  jobEventKey,
  jobIdOfUploadEvent,
  readJobEvent,
  readSpansEvent,
  replayDeadLetter,
  toJobLogEvent,
  toSpansLogEvent,
  toUploadLogEvent,
  uploadKeyOf,
} from './events.js';
export {
  type LocalEventLog,
  type LocalEventLogOptions,
  openLocalEventLog,
} from './local/open-local-event-log.js';
export { decodeMessage, type EncodeOptions, encodeMessage, unpackedBytes } from './message-codec.js';
export { observeViewAge } from './metrics.js';
export type {
  ConsumeOptions,
  ConsumerLag,
  Consumption,
  EventLog,
  Following,
  FollowOptions,
  LogEvent,
  NewEvent,
} from './ports.js';
export { createTopicView, type TopicView } from './topic-view.js';
export {
  decodeUploadSync,
  decryptUpload,
  type SealedMessage,
  splitEncrypted,
  toEncryptedUpload,
  type UploadKey,
} from './upload-codec.js';
