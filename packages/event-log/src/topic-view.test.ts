import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Registry } from '@whetstone/platform';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { type LocalEventLog, openLocalEventLog } from './local/open-local-event-log.js';
import { encodeMessage } from './message-codec.js';
import { createTopicView } from './topic-view.js';

describe('a view of a topic', () => {
  let folder: string;
  let log: LocalEventLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'topic-view-'));
    log = await openLocalEventLog({
      path: join(folder, 'log.db'),
      topics: [{ name: 't', partitions: 1, compacted: true }],
    });
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('reads the topic to its end, skips what it cannot read, and catches up', async () => {
    const { logger, lines } = createRecordingLogger();
    const registry = new Registry();
    const seen: number[] = [];
    const onCrash = (error: Error) => {
      throw error;
    };
    const view = createTopicView<number>({
      ...{ log, topic: 't', name: 'numbers', logger, registry, onCrash },
      apply: (number) => void seen.push(number),
    });
    expect(view.ageSeconds()).toBe(Number.POSITIVE_INFINITY);
    await log.append('t', { key: 'a', value: await encodeMessage(1) });
    await log.append('t', { key: 'b', value: Buffer.from('no message') });

    await view.start();
    await view.caughtUp();
    expect(seen).toEqual([1]);
    await log.append('t', { key: 'c', value: await encodeMessage(2) });
    await view.catchUp('c');

    expect(seen).toEqual([1, 2]);
    expect(lines()).toMatchObject([{ level: 'error', topic: 't', offset: 1 }]);
    expect(view.ageSeconds()).toBeLessThan(60);
    expect(await registry.metrics()).toContain('whetstone_view_age_seconds{view="numbers"}');
    await view.stop();
  });
});
