import type { TopicSpec } from '@whetstone/contracts';

import type { EventLog } from '../ports.js';
import { describeAppending } from './describe-appending.js';
import { describeConsuming } from './describe-consuming.js';
import { describeFollowing } from './describe-following.js';
import { createTestLogs, testTimeoutMs } from './test-kit.js';

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

/**
 * What every event log promises, as jest tests. Knows the port and nothing of the engine: no exact offsets, no times, no
 * assumption about how events are cut into batches.
 */
export function describeEventLog(name: string, createHarness: () => Promise<EventLogHarness>): void {
  describe(`${name} as an event log`, () => {
    const logs = createTestLogs(createHarness);
    beforeAll(() => logs.begin(), testTimeoutMs);
    afterEach(() => logs.closeAll(), testTimeoutMs);
    afterAll(() => logs.end(), testTimeoutMs);

    describeAppending(logs);
    describeConsuming(logs);
    describeFollowing(logs);
  });
}
