import { join } from 'node:path';

import { status } from '@grpc/grpc-js';
import { makeCertificates } from '@whetstone/deploy';
import type { VectorStore } from '@whetstone/indexer';
import { aCollection, aName, aRow, aVector } from '@whetstone/indexer/conformance';

import { type MilvusProxy, type SeenRequest, startMilvusProxy } from './milvus-proxy.js';
import { type MilvusUnderTest, type OpenOptions, startMilvusUnderTest } from './milvus-store.js';

const collection = aCollection('requests');

describe('what Milvus is asked', () => {
  let under: MilvusUnderTest;
  let proxy: MilvusProxy;
  const opened: VectorStore[] = [];

  beforeAll(async () => {
    under = await startMilvusUnderTest();
    proxy = await startMilvusProxy({ target: under.milvus.address });
  });
  beforeEach(() => {
    proxy.decide = () => undefined;
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(async () => {
    proxy?.close();
    await under?.destroy();
  });

  async function open(options: OpenOptions = {}): Promise<VectorStore> {
    const config = { address: proxy.address, shards: 1, ...options.config };
    const store = await under.open({ ...options, config });
    opened.push(store);
    return store;
  }

  /** The requests that `work` causes. */
  async function during(work: () => Promise<unknown>): Promise<SeenRequest[]> {
    proxy.seen.length = 0;
    await work();
    return [...proxy.seen];
  }

  async function everything(store: VectorStore): Promise<unknown> {
    await store.createCollection(collection);
    await store.upsert(collection, [aRow(collection)]);
    await store.rowsOfJobs(collection, ['job']);
    await store.rowsNamed(collection, [aName('one')]);
    await store.page(collection, { limit: 10, after: aRow(collection, { jobId: 'a' }).id });
    await store.pageHeads(collection, { limit: 10 });
    await store.search(collection, { vector: aVector(1), text: 'some words', limit: 100_000 });
    await store.votesOn(collection, ['job/1'], 100_000);
    await store.lessons(collection, { sort: 'recent', limit: 10 });
    await store.lessons(collection, { ids: ['a'.repeat(16)] });
    await store.insightsOf(collection, 'a'.repeat(16), 10);
    await store.deleteRows(collection, [aRow(collection).id]);
    await store.addMarker({ collectionId: collection, intent: 'x', vector: aVector(1), threshold: 0.5, deletedAt: 1 });
    await store.markers(collection, 0);
    await store.expireMarkers(1);
    const lease = { collectionId: collection, holder: 'holder', expiresAt: 2 };
    await store.acquireLease(lease, 1);
    await store.listLeases();
    await store.releaseLease(lease);
    return store.stats();
  }

  it('is always about one collection: by its partition, by the expression, and by the ids', async () => {
    const store = await open();
    const seen = (await during(() => everything(store))).filter(({ message }) => {
      return !JSON.stringify(message['output_fields'] ?? '').includes('count(*)') && !isAboutMarkers(message);
    });
    const about = (method: string) => seen.filter((request) => request.method === method);
    for (const method of ['Query', 'Search', 'Delete', 'Upsert']) expect(about(method).length).toBeGreaterThan(0);
    for (const { message } of [...about('Query'), ...about('Search')]) {
      expect(message['partition_names']).toEqual([collection]);
      expect(`${message['expr'] ?? ''}${message['dsl'] ?? ''}`).toContain(`"${collection}`);
    }
    for (const { message } of about('Delete')) {
      expect(message).toMatchObject({ partition_name: collection, expr: `id in ["${collection}/job/1/1"]` });
    }
    for (const { message } of about('Upsert')) expect(message).toMatchObject({ partition_name: collection });
  });

  it('is strongly consistent but for searches, which are bounded, or strong where that is configured', async () => {
    const searching = { vector: aVector(1), text: 'some words', limit: 10 };
    const levels = async (work: () => Promise<unknown>) => {
      const seen = (await during(work)).filter(({ method }) => ['Query', 'Search'].includes(method));
      return new Set(seen.map(({ method, message }) => `${method} ${message['consistency_level']}`));
    };
    const bounded = await open();
    await everything(bounded);
    await bounded.upsert(collection, [aRow(collection)]);
    expect(await levels(() => bounded.search(collection, searching))).toEqual(
      new Set(['Search Bounded', 'Query Bounded']),
    );
    expect(await levels(() => everything({ ...bounded, search: async () => nothing }))).toEqual(
      new Set(['Query Strong']),
    );
    const strong = await open({ config: { searchConsistency: 'strong' } });
    await strong.upsert(collection, [aRow(collection)]);
    expect(await levels(() => strong.search(collection, searching))).toEqual(
      new Set(['Search Strong', 'Query Strong']),
    );
  });

  it('has a deadline on each request', async () => {
    const store = await open({ config: { timeoutMs: 15_000 } });
    const begun = Date.now();
    const seen = await during(() => everything(store));
    for (const { method, deadlineMs } of seen) {
      expect({ method, late: deadlineMs > Date.now() + 15_500 || deadlineMs < begun }).toEqual({ method, late: false });
    }
  });

  it('stays within what Milvus allows, however much is asked for', async () => {
    const store = await open();
    const seen = await during(() => everything(store));
    const limits = seen.flatMap(({ method, message }) => {
      const params = (message[method === 'Search' ? 'search_params' : 'query_params'] ?? []) as Record<
        string,
        string
      >[];
      return params.filter(({ key }) => key === 'topk' || key === 'limit').map(({ value }) => Number(value));
    });
    expect(limits.length).toBeGreaterThan(3);
    expect(Math.max(...limits)).toBeLessThanOrEqual(16_384);
    for (const { message } of seen.filter(({ method }) => method === 'Search')) {
      const metric = (message['search_params'] as Record<string, string>[]).find(({ key }) => key === 'metric_type');
      expect(['COSINE', 'BM25']).toContain(metric?.['value']);
    }
  });

  it('brings the credentials and the database', async () => {
    const wanted = { authorization: Buffer.from('reader:secret').toString('base64'), dbname: 'default' };
    const refuse: MilvusProxy['decide'] = ({ metadata }) =>
      metadata.get('authorization')[0] === wanted.authorization
        ? undefined
        : { fail: status.UNAUTHENTICATED, details: 'auth check failure' };
    proxy.decide = refuse;
    const credentials = { username: 'reader', password: 'secret' };
    const store = await open({ config: { credentials } });
    const [first] = await during(() => everything(store));
    expect(first?.metadata.get('dbname')).toEqual([wanted.dbname]);
    const token = await open({ config: { credentials: { token: 'reader:secret' } } });
    expect(await token.hasCollection(collection)).toBe(true);

    await expect(open({ config: { credentials: { ...credentials, password: 'wrong' } } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('rejected the credentials'),
    });
    await expect(open({ config: { database: 'nowhere', credentials } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('has no database "nowhere"'),
    });
    // Credentials that expire later are rotated by the operator; jobs wait for that.
    proxy.decide = () => ({ fail: status.UNAUTHENTICATED });
    await expect(store.hasCollection(collection)).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    proxy.decide = refuse;
    expect(await store.hasCollection(collection)).toBe(true);
  });

  it('goes by TLS where that is configured, to whom the given authority has signed', async () => {
    const { ca, server: tls } = await makeCertificates(join(under.folder, 'certificates'));
    const secured = await startMilvusProxy({ target: under.milvus.address, tls });
    try {
      const store = await open({ config: { address: secured.address, tls: { ca } } });
      expect(await store.hasCollection(aCollection('nothing'))).toBe(false);
      const stranger = await open({ config: { address: secured.address, tls: {}, timeoutMs: 500 } });
      await expect(stranger.hasCollection(collection)).rejects.toMatchObject({ code: 'store_unavailable' });
    } finally {
      secured.close();
    }
  });
});

const nothing = { byMeaning: [], byWords: [], votes: [], verdicts: [], settings: {} };

function isAboutMarkers({ collection_name: name }: Record<string, unknown>): boolean {
  return String(name).endsWith('__markers');
}
