import { AppError } from '@whetstone/platform';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();
type Started = Awaited<ReturnType<typeof start>>;

const store = ({ url, key }: Started, tenant = 'shop', query = 'Refund the purple umbrella') =>
  call(url, 'POST', '/store_knowledge', { key, body: { tenant_id: tenant, query, turns: [] } });
const erase = ({ url, key }: Started, tenant = 'shop') =>
  call(url, 'DELETE', `/collections?tenant_id=${tenant}&confirm=${tenant}`, { key });
const types = async ({ dataKeyEvents }: Started) => (await dataKeyEvents()).map(({ type }) => type);

describe('an upload in the log', () => {
  it('is encrypted with a key of its collection, which first uploads at the same time share', async () => {
    const gateway = await start();
    const answers = await Promise.all(['shop', 'shop', 'shop', 'bank', 'bank'].map((tenant) => store(gateway, tenant)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);

    const uploads = await gateway.uploads();
    const events = await gateway.dataKeyEvents();

    expect(uploads.map(({ upload }) => upload.interaction.query)).toEqual(Array(5).fill('Refund the purple umbrella'));
    expect(uploads.filter(({ value }) => Buffer.from(value).includes('umbrella'))).toEqual([]);
    expect(new Set(events.map(({ collectionId }) => collectionId))).toEqual(
      new Set(uploads.map(({ upload }) => upload.collectionId)),
    );
    expect(await types(gateway)).toEqual(['created', 'created']);
  });

  it('is not encrypted while analysers cannot read that yet', async () => {
    const gateway = await start({ config: { encryptsUploads: false } });
    await store(gateway);

    const [upload] = await gateway.uploads();
    expect(Buffer.from(upload?.value ?? []).includes('umbrella')).toBe(true);
    expect(await types(gateway)).toEqual([]);
  });

  it('is not accepted if its key could not be written, and another one is tried the next time', async () => {
    let failures = 1;
    const gateway = await start({
      log: (log) => ({
        ...log,
        append: (topic, event) =>
          topic.includes('collections') && failures-- > 0
            ? Promise.reject(new AppError('log_unavailable', 'away', { retryable: true }))
            : log.append(topic, event),
      }),
    });

    expect([(await store(gateway)).status, (await store(gateway)).status]).toEqual([500, 202]);
    expect(await gateway.uploads()).toHaveLength(1);
  });
});

describe('the erasure of a collection', () => {
  it('destroys its data keys and no others, and later uploads get a new one', async () => {
    const gateway = await start();
    for (const tenant of ['shop', 'bank']) await store(gateway, tenant);
    expect((await erase(gateway)).status).toBe(200);
    await store(gateway);

    expect(await types(gateway)).toEqual(['created', 'created', 'retired', 'destroyed', 'created']);
    const texts = (await gateway.uploads()).map(({ upload }) => upload.interaction?.query);
    expect(texts.filter((text) => text === undefined)).toHaveLength(1);
  });

  it('destroys them last: if the indexer refuses or fails, every upload can still be read', async () => {
    const refusal = new AppError('too_many_deletions', 'Remembers 1000 deletions');
    const gateway = await start({ eraseCollection: () => Promise.reject(refusal) });
    await store(gateway);

    expect((await erase(gateway)).status).toBe(409);
    await store(gateway);

    expect(await types(gateway)).toEqual(['created', 'retired', 'created']);
    expect((await gateway.uploads()).map(({ upload }) => upload.interaction.query)).toHaveLength(2);
  });

  it('completes one that was interrupted between retiring and destroying', async () => {
    let failures = 1;
    const eraseCollection = () =>
      failures-- > 0 ? Promise.reject(new Error('killed')) : Promise.resolve({ deletedCount: 0 });
    const gateway = await start({ eraseCollection });
    await store(gateway);
    expect((await erase(gateway)).status).toBe(500);

    expect((await erase(gateway)).status).toBe(200);

    expect((await types(gateway)).filter((type) => type !== 'retired')).toEqual(['created', 'destroyed']);
  });

  it('waits until other gateways no longer use the keys, and not if there are none', async () => {
    const gateway = await start({ config: { keyHandoverMs: 700 } });
    const timed = async () => {
      const begun = performance.now();
      expect((await erase(gateway)).status).toBe(200);
      return performance.now() - begun;
    };
    await store(gateway);

    expect(await timed()).toBeGreaterThanOrEqual(690);
    expect(await timed()).toBeLessThan(690);
  });
});

describe('a gateway whose view of the keys is old', () => {
  it('catches up before it encrypts, so that no upload is accepted with a key that another one has destroyed', async () => {
    let stale = false;
    let caughtUp = 0;
    const gateway = await start({
      config: { keyHandoverMs: 2000 },
      log: (log) => ({
        ...log,
        async follow(options) {
          const following = await log.follow(options);
          return {
            caughtUp: () => following.caughtUp(),
            stop: () => following.stop(),
            ageSeconds: () => (stale ? 1.6 : 0.1),
            catchUp: (key) => {
              caughtUp++;
              return following.catchUp(key);
            },
          };
        },
      }),
    });
    await store(gateway);
    expect(caughtUp).toBe(0);
    stale = true;
    await store(gateway);

    expect(caughtUp).toBe(1);
  });
});
