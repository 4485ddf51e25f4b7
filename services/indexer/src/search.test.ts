import { createLogger } from '@whetstone/platform';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import {
  aCollection,
  anInsight,
  aReplacement,
  conformanceModel,
  createDirectionEmbedder,
} from './conformance/samples.js';
import { createEraseCollection } from './domain/erase-collection.js';
import { importRows } from './domain/import-rows.js';
import type { VectorStore } from './domain/ports.js';
import { createReplace } from './domain/replace.js';
import { createSearch } from './domain/search.js';
import { type TemporaryFolder, temporaryFolder } from './test-kit/temporary-folder.js';

const clock = { now: () => 1_000 };
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const embedder = createDirectionEmbedder();

describe('searching', () => {
  let folder: TemporaryFolder;
  let store: VectorStore;
  beforeAll(async () => {
    folder = await temporaryFolder();
    store = await openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger });
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });
  const replace = (given: Parameters<typeof aReplacement>[0]) =>
    createReplace({ store, embedder, clock }, { maxCollectionsPerAccount: 200 })(aReplacement(given), {});
  const search = (collectionId: string, text: string, given = {}) =>
    createSearch({ store, embedder }, { agentTypeBoost: 1.1 })({ collectionId, text, limit: 10, ...given }, {});

  it('finds by meaning and by words, reports similarity, and prefers hits of both', async () => {
    const collectionId = aCollection('fused');
    const insights = (content: string) => [anInsight({ content })];
    await replace({ collectionId, jobId: 'both', intent: '0.8 of north', insights: insights('pack ice and whales') });
    await replace({ collectionId, jobId: 'meaning', intent: '0.9 of north', insights: insights('nothing in common') });
    await replace({ collectionId, jobId: 'words', intent: '0.1 of east', insights: insights('whales') });
    const { hits } = await search(collectionId, 'north', { contextText: 'whales' });
    expect(hits.map(({ origin }) => origin.jobId)).toEqual(['both', 'meaning', 'words']);
    expect(hits.map(({ similarity }) => similarity)).toEqual([
      expect.closeTo(0.8),
      expect.closeTo(0.9),
      expect.closeTo(0),
    ]);
    expect(hits[0]).toMatchObject({
      id: `${collectionId}/both/1/1`,
      intent: '0.8 of north',
      insight: { content: 'pack ice and whales' },
    });
  });

  it('prefers the same agent type', async () => {
    const collectionId = aCollection('agents');
    for (const agentType of ['browser', 'shell']) {
      const { origin } = aReplacement({ jobId: agentType });
      await replace({ collectionId, jobId: agentType, insights: [anInsight()], origin: { ...origin, agentType } });
    }
    const first = async (agentType: string) =>
      (await search(collectionId, 'north', { agentType })).hits[0]?.origin.agentType;
    expect([await first('shell'), await first('browser')]).toEqual(['shell', 'browser']);
  });

  it('returns one attempt per job while two coexist', async () => {
    const collectionId = aCollection('attempts');
    await replace({ collectionId, attempt: '1' });
    const rows = await store.page(collectionId, { limit: 10 });
    await replace({ collectionId, attempt: '2' });
    await store.upsert(collectionId, rows);
    const { hits } = await search(collectionId, 'north');
    expect(hits.map(({ id }) => id.split('/')[2])).toEqual(['2', '2']);
  });

  it('scores a task the same, however often others were done', async () => {
    const scoreOfEast = async (collectionId: string, runs: number) => {
      for (let run = 0; run < runs; run++) await replace({ collectionId, jobId: `north${run}` });
      await replace({ collectionId, jobId: 'east', intent: 'east' });
      const { hits } = await search(collectionId, 'north', { limit: 40 });
      return hits.find(({ origin }) => origin.jobId === 'east')?.score;
    };
    expect(await scoreOfEast(aCollection('often'), 8)).toBe(await scoreOfEast(aCollection('once'), 1));
  });

  it('finds nothing in a missing collection', async () => {
    expect(await search(aCollection('missing'), 'north')).toEqual({
      hits: [],
      verdicts: [],
      settings: {},
    });
    expect(await store.hasCollection(aCollection('missing'))).toBe(false);
  });

  it('lets the store search by words while the text is embedded', async () => {
    const order: string[] = [];
    const slow = {
      embed: async (text: string) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push('embedded');
        return embedder.embed(text, 'interactive');
      },
    };
    const watched: VectorStore = {
      ...store,
      search(id, query) {
        order.push('asked the store');
        return store.search(id, query);
      },
    };
    const searching = createSearch({ store: watched, embedder: { ...embedder, ...slow } }, { agentTypeBoost: 1 });
    const { hits } = await searching({ collectionId: aCollection('fused'), text: 'north', limit: 1 }, {});
    expect([hits.length, order]).toEqual([1, ['asked the store', 'embedded']]);
  });

  it('finds by words only without embedding', async () => {
    const noEmbedder = { ...embedder, embed: () => Promise.reject(new Error('unexpected embedding')) };
    const searching = createSearch({ store, embedder: noEmbedder }, { agentTypeBoost: 1 });
    const request = { collectionId: aCollection('fused'), text: 'whales', byWordsAlone: true, limit: 10 };
    const { hits } = await searching(request, {});
    expect(hits.map(({ origin, similarity }) => [origin.jobId, similarity])).toEqual([
      ['words', 0],
      ['both', 0],
    ]);
  });

  it('stops when the caller cancels', async () => {
    const cancelled = createSearch({ store, embedder }, { agentTypeBoost: 1 })(
      { collectionId: aCollection('fused'), text: 'north', limit: 1 },
      { signal: AbortSignal.abort() },
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('limits the collections of an account, but not writes to existing ones', async () => {
    const first = aCollection('first', 'limited');
    const limited = createReplace({ store, embedder, clock }, { maxCollectionsPerAccount: 1 });
    await limited(aReplacement({ collectionId: first }), {});
    await limited(aReplacement({ collectionId: first, jobId: 'next' }), {});
    await expect(limited(aReplacement({ collectionId: aCollection('second', 'limited') }), {})).rejects.toMatchObject({
      code: 'too_many_collections',
      retryable: false,
    });
    await limited(aReplacement({ collectionId: aCollection('first', 'other') }), {});
  });

  it('does not count a collection that was erased, even if an upload was pending', async () => {
    const [first, second] = [aCollection('first', 'erasing'), aCollection('second', 'erasing')];
    const limited = createReplace({ store, embedder, clock }, { maxCollectionsPerAccount: 1 });
    const erase = createEraseCollection({ store, embedder, clock }, { maxDeletionsPerCollection: 10 });
    await limited(aReplacement({ collectionId: first }), {});
    await erase({ collectionId: first, requestedAt: 200 }, {});
    await limited(aReplacement({ collectionId: second, acceptedAt: 300 }), {});
    expect(await limited(aReplacement({ collectionId: first, acceptedAt: 150 }), {})).toMatchObject({
      outcome: 'deleted',
    });
    await expect(limited(aReplacement({ collectionId: first, acceptedAt: 300 }), {})).rejects.toMatchObject({
      code: 'too_many_collections',
    });
  });

  it('limits oversized content', async () => {
    const collectionId = aCollection('bounds');
    const steps = Array.from({ length: 10_000 }, (_, turn) => ({
      turn,
      action: 'x'.repeat(200),
      outcome: 'ok' as const,
    }));
    const run = { outcome: 'success' as const, judged: false, uses: [], changes: [], steps };
    await replace({
      collectionId,
      run,
      insights: [anInsight({ content: '漢'.repeat(100_000), example: 'y'.repeat(100_000) })],
    });
    for (const row of await store.page(collectionId, { limit: 10 })) {
      for (const text of [row.body, row.text, row.intent]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_535);
      expect(() => JSON.parse(row.body)).not.toThrow();
    }
  });

  describe('an import', () => {
    const at = (name: string) => aCollection(name, 'import');

    it('stores rows idempotently', async () => {
      await replace({ collectionId: at('source') });
      const rows = await store.page(at('source'), { limit: 10 });
      await store.deleteRows(
        at('source'),
        rows.map(({ id }) => id),
      );
      for (let i = 0; i < 2; i++) {
        expect(await importRows(store, rows, { includeDeleted: false })).toEqual({
          stored: 3,
          superseded: 0,
          deleted: 0,
        });
      }
      expect((await store.page(at('source'), { limit: 10 })).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    });

    it('does not undo a later attempt or a deletion, unless told to', async () => {
      await replace({ collectionId: at('newer'), attempt: '1' });
      const rows = await store.page(at('newer'), { limit: 10 });
      await replace({ collectionId: at('newer'), attempt: '2' });
      expect(await importRows(store, rows, { includeDeleted: true })).toEqual({ stored: 0, superseded: 3, deleted: 0 });
      const [row] = await store.page(at('newer'), { limit: 1 });
      expect(row?.attempt).toBe('2');

      await store.addMarker({
        collectionId: at('gone'),
        intent: 'north',
        vector: await embedder.embed('north', 'background'),
        threshold: 0.5,
        deletedAt: 200,
      });
      const gone = rows.map((row) => ({
        ...row,
        collectionId: at('gone'),
        id: row.id.replace(at('newer'), at('gone')),
      }));
      expect(await importRows(store, gone, { includeDeleted: false })).toEqual({
        stored: 0,
        superseded: 0,
        deleted: 3,
      });
      expect(await store.page(at('gone'), { limit: 10 })).toEqual([]);
      expect(await importRows(store, gone, { includeDeleted: true })).toEqual({ stored: 3, superseded: 0, deleted: 0 });
    });
  });
});
