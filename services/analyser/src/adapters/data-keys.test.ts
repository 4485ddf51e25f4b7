import type { DataKeyEvent } from '@whetstone/contracts';
import { topics } from '@whetstone/contracts';
import { encodeMessage } from '@whetstone/event-log';
import { createDataKey, keyOfDataKeyEvent } from '@whetstone/identity';
import { createLogger, Registry } from '@whetstone/platform';

import { type LogSite, openLogSite, testRoots } from '../test-kit/index.js';
import { createDataKeys, type DataKeys } from './data-keys.js';

describe('the data keys of an analyser', () => {
  let site: LogSite;
  let keys: DataKeys;

  beforeEach(async () => {
    site = await openLogSite();
    const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
    const deps = { roots: testRoots, logger, registry: new Registry(), onCrash: () => {} };
    keys = createDataKeys({ log: site.log, ...deps });
    await keys.start();
  });
  afterEach(async () => {
    await keys.stop();
    await site.close();
  });

  async function append(event: DataKeyEvent): Promise<void> {
    await site.log.append(topics.collections.name, {
      key: keyOfDataKeyEvent(event),
      value: await encodeMessage(event),
    });
  }

  it('are found as soon as they are in the log, and known to be destroyed', async () => {
    const created = createDataKey(testRoots, 'c1', 1);
    const { collectionId, dataKeyId } = created;
    await append(created);
    expect(await keys.find('c1', dataKeyId)).toHaveLength(32);

    await append({ type: 'destroyed', collectionId, dataKeyId, destroyedAt: 2 });
    // One that is not known makes the view catch up.
    await expect(keys.find('c1', 'unknown')).rejects.toThrow();
    expect(await keys.find('c1', dataKeyId)).toBe('destroyed');
  });

  it('are waited for if they are unknown at the end of the log', async () => {
    await expect(keys.find('c1', 'unknown')).rejects.toMatchObject({ code: 'log_unavailable', retryable: true });
  });
});
