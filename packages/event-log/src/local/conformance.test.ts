import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TopicSpec } from '@whetstone/contracts';

import { describeEventLog } from '../conformance/index.js';
import { type LocalEventLog, openLocalEventLog } from './open-local-event-log.js';

describeEventLog('the local log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-log-'));
  const topics: TopicSpec[] = [];
  return {
    async createTopic(spec) {
      const name = `topic-${topics.length}`;
      topics.push({ name, ...spec });
      return name;
    },
    open: () => openLocalEventLog({ path: join(folder, 'log.db'), topics }),
    compact: (log) => (log as LocalEventLog).maintain(),
    destroy: () => rm(folder, { recursive: true }),
  };
});
