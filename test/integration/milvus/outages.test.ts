import { setTimeout as sleep } from 'node:timers/promises';

import { status } from '@grpc/grpc-js';
import { reservePort } from '@whetstone/deploy';
import type { Row, VectorStore } from '@whetstone/indexer';
import { aCollection, aRow, aVector } from '@whetstone/indexer/conformance';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { eventually } from '../../support/eventually.js';
import { type MilvusProxy, startMilvusProxy } from './milvus-proxy.js';
import { type MilvusUnderTest, startMilvusUnderTest } from './milvus-store.js';

let under: MilvusUnderTest;

beforeAll(async () => {
  under = await startMilvusUnderTest();
});
afterAll(() => under?.destroy());

describe('while Milvus is away', () => {
  let store: VectorStore;

  beforeAll(async () => {
    store = await under.open();
  });
  afterAll(() => store?.close());

  const question = { vector: aVector(1), text: 'some words', limit: 10 };

  it('requests wait out a restart, and nothing has to be reopened', async () => {
    const collection = aCollection('restarted');
    await store.createCollection(collection);
    await store.upsert(collection, [aRow(collection)]);
    await under.milvus.stop();
    const waiting = Promise.all([
      store.upsert(collection, [aRow(collection, { ordinal: 2 })]),
      store.page(collection, { limit: 10 }),
      store.search(collection, question),
      store.markers(collection, 0),
      store.hasCollection(collection),
    ]);
    await under.milvus.restart();
    const [, rows, { byMeaning, byWords }, , there] = await waiting;
    expect([rows.length > 0, byMeaning.length > 0, byWords.length > 0, there]).toEqual([true, true, true, true]);
    expect(await store.rowsOfJobs(collection, ['job'])).toHaveLength(2);
  });

  it('requests fail in time, with a retryable error', async () => {
    const impatient = await under.open({ config: { timeoutMs: 1_000 } });
    await under.milvus.kill();
    const begun = Date.now();
    for (const asking of [
      impatient.search(aCollection('restarted'), question),
      impatient.upsert(aCollection('restarted'), [aRow(aCollection('restarted'))]),
      impatient.stats(),
    ]) {
      await expect(asking).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    }
    expect(Date.now() - begun).toBeLessThan(60_000);
    await under.milvus.restart();
    await eventually(() => impatient.stats().catch(() => undefined), { what: 'it answers again' });
    await impatient.close();
  });

  it('requests to a server that hangs time out, and work again once it continues', async () => {
    const impatient = await under.open({ config: { timeoutMs: 1_500 } });
    under.milvus.pause();
    try {
      // On a busy machine it may still answer once before it stands still.
      const ask = () =>
        impatient.hasCollection(aCollection('x')).then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(await eventually(ask, { what: 'the request times out' })).toMatchObject({ code: 'store_unavailable' });
    } finally {
      under.milvus.resume();
    }
    await eventually(() => impatient.hasCollection(aCollection('x')).catch(() => undefined), { what: 'an answer' });
    await impatient.close();
  });

  it('nothing acknowledged is lost and nothing deleted comes back, over repeated kill −9', async () => {
    const collection = aCollection('killed');
    await store.createCollection(collection);
    const said = { written: new Set<string>(), deleting: new Set<string>(), deleted: new Set<string>() };
    for (let round = 0; round < 2; round++) {
      let over = false;
      const before = said.written.size;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; !over; n++) {
          const jobId = `job-${round}-${writer}-${n}`;
          const rows = [0, 1].map((ordinal): Row => aRow(collection, { jobId, ordinal }));
          await store.upsert(collection, rows);
          said.written.add(jobId);
          if (n % 3 > 0) continue;
          said.deleting.add(jobId);
          await store.deleteRows(
            collection,
            rows.map(({ id }) => id),
          );
          said.deleted.add(jobId);
        }
      });
      // At a random moment, once writing is well under way.
      await eventually(() => said.written.size > before + 10 || undefined, { what: 'rows are written' });
      await sleep(Math.random() * 1_000);
      await under.milvus.kill();
      over = true;
      await under.milvus.restart();
      await Promise.all(writers);
    }
    const rows = await store.page(collection, { limit: 100_000 });
    const kept = new Map<string, number>();
    for (const { jobId } of rows) kept.set(jobId, (kept.get(jobId) ?? 0) + 1);
    expect(said.written.size).toBeGreaterThan(20);
    expect([...said.written].filter((job) => !kept.has(job) && !said.deleting.has(job))).toEqual([]);
    expect([...said.deleted].filter((job) => kept.has(job))).toEqual([]);
    expect([...kept].filter(([, count]) => count !== 2)).toEqual([]);
  });

  it('the store opens anyway, logs it, and serves once Milvus is available', async () => {
    const { logger, text } = createRecordingLogger();
    const port = await reservePort();
    const address = `127.0.0.1:${port.port}`;
    const early = await under.open({ logger, config: { address, timeoutMs: 500 } });
    expect(text()).toContain('Starting without Milvus');
    await expect(early.hasCollection(aCollection('x'))).rejects.toMatchObject({ code: 'store_unavailable' });
    const late = await startMilvusProxy({ target: under.milvus.address, port: port.port });
    await eventually(() => early.hasCollection(aCollection('restarted')).catch(() => undefined), { what: 'an answer' });
    expect(text()).toContain('Milvus is available again');
    await early.close();
    late.close();
    port.release();
  });
});

describe('a Milvus that answers wrongly', () => {
  let proxy: MilvusProxy;
  let store: VectorStore;
  const collection = aCollection('odd');

  beforeAll(async () => {
    proxy = await startMilvusProxy({ target: under.milvus.address });
    store = await under.open({ config: { address: proxy.address } });
    await store.createCollection(collection);
  });
  beforeEach(() => {
    proxy.decide = () => undefined;
  });
  afterAll(async () => {
    await store?.close();
    proxy?.close();
  });

  /** The first `count` requests of the method meet this fate; later ones go through. */
  function first(count: number, method: string, fate: ReturnType<MilvusProxy['decide']>): () => number {
    let left = count;
    proxy.decide = (request) => (request.method === method && left-- > 0 ? fate : undefined);
    return () => count - Math.max(0, left);
  }

  it('with an empty answer is asked again: that is no success of a write', async () => {
    const row = aRow(collection, { jobId: 'empty' });
    const met = first(2, 'Upsert', { answer: new Uint8Array() });
    await store.upsert(collection, [row]);
    expect(met()).toBe(2);
    expect(await store.rowsOfJobs(collection, ['empty'])).toHaveLength(1);
    const metByDelete = first(1, 'Delete', { answer: new Uint8Array() });
    await store.deleteRows(collection, [row.id]);
    expect(metByDelete()).toBe(1);
    expect(await store.rowsOfJobs(collection, ['empty'])).toEqual([]);
  });

  it('with transient errors is asked again, for longer than the SDK would', async () => {
    for (const fail of [status.UNAVAILABLE, status.RESOURCE_EXHAUSTED]) {
      const met = first(4, 'Query', { fail });
      expect(await store.rowsOfJobs(collection, ['nothing'])).toEqual([]);
      expect(met()).toBe(4);
    }
  });

  it('with a refusal is not asked again', async () => {
    const met = first(5, 'Upsert', { fail: status.INVALID_ARGUMENT, details: 'too odd' });
    await expect(store.upsert(collection, [aRow(collection)])).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('too odd'),
    });
    expect(met()).toBe(1);
  });

  it('or not at all is given up in time', async () => {
    const impatient = await under.open({ config: { address: proxy.address, timeoutMs: 700 } });
    first(100, 'Upsert', 'nothing');
    await expect(impatient.upsert(collection, [aRow(collection)])).rejects.toMatchObject({ code: 'store_unavailable' });
    await impatient.close();
  });
});
