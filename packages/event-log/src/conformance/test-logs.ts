import type { TopicSpec } from '@whetstone/contracts';

import type { EventLog } from '../ports.js';
import type { EventLogHarness } from './event-log-harness.js';

/** The logs of a test, closed after it whatever happened. */
export interface TestLogs {
  begin(): Promise<void>;
  createTopic(spec?: Partial<Omit<TopicSpec, 'name'>>): Promise<string>;
  open(): Promise<EventLog>;
  compact(log: EventLog, topic: string): Promise<void>;
  closeAll(): Promise<void>;
  end(): Promise<void>;
}

/** Each engine may be slow to start and to share out partitions. */
export const testTimeoutMs = 600_000;

export function createTestLogs(createHarness: () => Promise<EventLogHarness>): TestLogs {
  let harness: EventLogHarness | undefined;
  let open: EventLog[] = [];
  const theHarness = () => {
    if (!harness) throw new Error('The harness has not begun');
    return harness;
  };

  return {
    async begin() {
      harness = await createHarness();
    },
    createTopic: (spec) => theHarness().createTopic({ partitions: 4, compacted: false, ...spec }),
    async open() {
      const log = await theHarness().open();
      open.push(log);
      return log;
    },
    compact: (log, topic) => theHarness().compact(log, topic),
    async closeAll() {
      const closing = open;
      open = [];
      await Promise.all(closing.map((log) => log.close()));
    },
    end: () => theHarness().destroy(),
  };
}
