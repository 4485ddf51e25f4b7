import type { TopicSpec } from '@whetstone/contracts';

import type { EventLog } from '../ports.js';

/** What an adapter brings to be tested. */
export interface EventLogHarness {
  /** A topic that nobody has used yet; made before the log is opened. Answers its name. */
  createTopic(spec: Omit<TopicSpec, 'name'>): Promise<string>;
  /** Opens the log with all topics made so far: the same data each time, as after a restart. */
  open(): Promise<EventLog>;
  /** Makes compaction happen now, as far as the engine lets itself be asked. */
  compact(log: EventLog, topic: string): Promise<void>;
  /** Releases everything; called once, after all logs were closed. */
  destroy(): Promise<void>;
}
