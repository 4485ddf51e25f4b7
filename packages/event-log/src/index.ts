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
