export { jobEventKey, readJobEvent, toJobLogEvent } from './job-events.js';
export { decodeMessage, type EncodeOptions, encodeMessage } from './message-codec.js';
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
export { collectionOfUploadKey, uploadKeyOf } from './upload-keys.js';
export { observeViewAge } from './view-age.js';
