import { describeAppending } from './describe-appending.js';
import { describeConsuming } from './describe-consuming.js';
import { describeFollowing } from './describe-following.js';
import type { EventLogHarness } from './event-log-harness.js';
import { createTestLogs, testTimeoutMs } from './test-logs.js';

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
