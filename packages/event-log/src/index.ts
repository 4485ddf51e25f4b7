export { createDetachedConsumer } from './detached/create-detached-consumer.js';
export type { DetachedConsumer } from './detached/detached-consumer.js';
export type { DetachedConsumerOptions } from './detached/detached-consumer-options.js';
export { jobEventKey, readJobEvent, toJobLogEvent } from './job-events.js';
export {
  type LocalEventLog,
  type LocalEventLogOptions,
  openLocalEventLog,
} from './local/open-local-event-log.js';
export { decodeMessage, type EncodeOptions, encodeMessage, unpackedBytes } from './message-codec.js';
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
export { replayDeadLetter } from './replay-dead-letter.js';
export { jobIdOfUploadEvent, toUploadLogEvent } from './upload-events.js';
export { collectionOfUploadKey, uploadKeyOf } from './upload-keys.js';
export { observeViewAge } from './view-age.js';
