export { describeEventLog } from './describe-event-log.js';
export type { EventLogHarness } from './event-log-harness.js';
