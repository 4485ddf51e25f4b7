import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { topics } from '@whetstone/contracts';
import { type LocalEventLog, openLocalEventLog } from '@whetstone/event-log';
import { createRootSecrets } from '@whetstone/identity';
import { createSystemClock } from '@whetstone/platform';

import { issueFirstKey } from './first-key.js';

describe('the first key', () => {
  const roots = createRootSecrets('a root secret that is long enough for a test');
  let folder: string;
  let log: LocalEventLog;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-first-key-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics) });
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is issued once, at the first start on an empty folder', async () => {
    const clock = createSystemClock();

    expect(await issueFirstKey(log, roots, clock)).toMatch(/^wst_/);
    expect(await issueFirstKey(log, roots, clock)).toBeUndefined();
  });

  it('is not issued where something unreadable tells that there were keys before, and the start goes on', async () => {
    await log.append(topics.keys.name, { key: 'damaged:issued', value: Buffer.from('not a message') });

    expect(await issueFirstKey(log, roots, createSystemClock())).toBeUndefined();
  });
});
