import type { TopicSpec } from '@whetstone/contracts';

import type { EventLog } from '../ports.js';
import { describeAppending } from './describe-appending.js';
import { describeConsuming } from './describe-consuming.js';
import { describeFollowing } from './describe-following.js';
import { createTestLogs, testTimeoutMs } from './test-kit.js';

/** What an adapter provides for its test. */
export interface EventLogHarness {
  /** Creates a fresh topic, before the log is opened. Returns its name. */
  createTopic(spec: Omit<TopicSpec, 'name'>): Promise<string>;
  /** Opens the log with all topics made so far: the same data each time, as after a restart. */
  open(): Promise<EventLog>;
  /** Compacts now, as far as the engine allows. */
  compact(log: EventLog, topic: string): Promise<void>;
  /** Releases everything. Called once, after all logs are closed. */
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
