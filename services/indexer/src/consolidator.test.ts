import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CitedEnhancement } from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import {
  aCollection,
  aDeletion,
  anInsight,
  aReplacement,
  conformanceModel,
  createDirectionEmbedder,
  generousLimits,
} from './conformance/samples.js';
import { createConsolidator } from './consolidator.js';
import { createCurateLessons } from './domain/curate-lessons.js';
import { createDeleteByIntent } from './domain/delete-by-intent.js';
import { importRows } from './domain/import-rows.js';
import type { VectorStore } from './domain/ports.js';
import { createReplace } from './domain/replace.js';

describe('the consolidator', () => {
  const collectionId = aCollection('some');
  const settleMs = 1_000;
  let folder: string;
  let store: VectorStore;
  let nowMs: number;
  const clock = { now: () => nowMs * 1000 };
  const { logger } = createRecordingLogger();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-consolidator-'));
    store = await openLocalVectorStore({ path: join(folder, 'knowledge.db'), model: conformanceModel, logger });
    nowMs = 1_000_000;
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  function consolidator(on: VectorStore = store, retentionDays = 0) {
    const registry = new Registry();
    const config = { intervalMs: 60_000, settleMs, retentionDays };
    const made = createConsolidator({ store: on, clock, logger, registry, monotonicMs: () => nowMs }, config);
    return { ...made, metrics: () => registry.metrics() };
  }

  async function learn(
    jobId: string,
    note?: ReturnType<typeof consolidator>['note'],
    insights = [anInsight()],
    cited?: CitedEnhancement,
  ) {
    const deps = { store, embedder: createDirectionEmbedder(), clock, ...(note && { onStored: note }) };
    const attempt = `${clock.now()}`.padStart(17, '0');
    await createReplace(deps, generousLimits)(
      aReplacement({ collectionId, jobId, attempt, insights, acceptedAt: clock.now(), ...(cited && { cited }) }),
      {},
    );
  }

  async function rows(): Promise<string[]> {
    return (await store.page(collectionId, { limit: 100 })).map(({ type }) => type);
  }

  it('merges what was noted, once it has settled', async () => {
    const { note, pass, metrics } = consolidator();
    for (const jobId of ['a', 'b', 'c']) await learn(jobId, note);
    await pass();
    expect(await rows()).toHaveLength(6);

    nowMs += settleMs;
    await pass();
    expect(await rows()).toEqual(['run', 'insight']);
    expect(await metrics()).toContain('whetstone_consolidation_rows_total{action="deleted"} 6');
    expect(await store.listLeases()).toEqual([]);
  });

  it('drops the runs that taught nothing', async () => {
    const { note, pass } = consolidator();
    await learn('a', note, []);
    nowMs += settleMs;
    await pass();
    expect(await rows()).toEqual([]);
  });

  it('tells how far it is behind, and catches up when the store is back', async () => {
    let away = true;
    const fails: VectorStore['rowsNamed'] = async (...given) => {
      if (away) throw new Error('away');
      return store.rowsNamed(...given);
    };
    const { note, pass, metrics } = consolidator({ ...store, rowsNamed: fails });
    for (const jobId of ['a', 'b']) await learn(jobId, note);
    nowMs += settleMs + 5_000;
    await pass();
    expect(await metrics()).toContain('whetstone_consolidation_behind_seconds 5');
    expect(await metrics()).toContain('whetstone_consolidation_failures_total 1');

    away = false;
    await pass();
    expect(await rows()).toHaveLength(2);
    expect(await metrics()).toContain('whetstone_consolidation_behind_seconds 0');
  });

  it('leaves a collection to the process that has its lease, and repairs what that left behind', async () => {
    for (const jobId of ['a', 'b']) await learn(jobId);
    const other = { collectionId, holder: 'other', expiresAt: clock.now() + 60_000_000 };
    await store.acquireLease(other, clock.now());
    const { pass } = consolidator();
    nowMs += settleMs;
    await pass();
    expect(await rows()).toHaveLength(4);

    nowMs += 60_000;
    await pass();
    expect(await rows()).toHaveLength(2);
    expect(await store.listLeases()).toEqual([]);
  });

  it('keeps the summary of what dropped runs reported, however often it scans', async () => {
    const { note, pass } = consolidator();
    await learn('a', note, [], { tokenDigest: 'token', arm: 'holdout', insightIds: [] });
    const jobs = async () => (await store.page(collectionId, { limit: 100 })).map(({ jobId }) => jobId);
    for (let day = 0; day < 3; day++) {
      nowMs += 25 * 60 * 60 * 1000;
      await pass();
      expect(await jobs()).toEqual(['answers']);
    }
  });

  it('finds by a scan what nobody noted, names rows that have none, and forgets what is old', async () => {
    for (const jobId of ['a', 'b']) await learn(jobId);
    const unnamed = (await store.page(collectionId, { limit: 100 })).map((row) => ({
      ...row,
      name: '',
      body: row.body.replace(/"name":"[^"]*",/, ''),
    }));
    await store.upsert(collectionId, unnamed);
    const { pass } = consolidator(store, 30);
    nowMs += 2 * 60 * 60 * 1000;
    await pass();
    expect(await rows()).toHaveLength(2);

    nowMs += 31 * 24 * 60 * 60 * 1000;
    await pass();
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['the own retention of a collection, longer than that of the server', 60, 30, 2, 0],
    ['the own retention of a collection, shorter than that of the server', 30, 60, 0, 0],
    ['that a collection keeps everything', 0, 30, 2, 2],
  ])('heeds %s', async (_, own, ofServer, ...left) => {
    await learn('a');
    const curating = createCurateLessons({ store, embedder: createDirectionEmbedder(), clock }, generousLimits);
    const settings = { retentionDays: own };
    await curating.changeSettings({ collectionId, settings, keyId: 'k', changedAt: clock.now() }, {});
    const { pass, scan } = consolidator(store, ofServer);
    for (const count of left) {
      nowMs += 31 * 24 * 60 * 60 * 1000;
      scan(collectionId);
      await pass();
      expect((await rows()).filter((type) => type !== 'decision')).toHaveLength(count);
    }
  });

  it('keeps what is noted during a pass, and what has not settled yet', async () => {
    let during = async () => {};
    const slow: VectorStore['rowsNamed'] = async (...given) => {
      const rows = await store.rowsNamed(...given);
      await during();
      return rows;
    };
    const { note, pass } = consolidator({ ...store, rowsNamed: slow });
    for (const jobId of ['a', 'b']) await learn(jobId, note);
    nowMs += settleMs - 1;
    await learn('c', note);
    nowMs += 1;
    during = async () => {
      during = async () => {};
      await learn('d', note);
    };
    await pass();
    nowMs += settleMs;
    await pass();
    expect(await rows()).toEqual(['run', 'insight']);
  });

  it('merges any number of rows in one pass, and the votes on a lesson that nobody teaches again', async () => {
    const { note, pass } = consolidator();
    for (let at = 0; at < 140; at++) await learn(`job${at}`, note);
    nowMs += settleMs;
    await pass();
    expect(await rows()).toEqual(['run', 'insight']);

    const [, insight] = await store.page(collectionId, { limit: 2 });
    const insightIds = [insight?.name ?? ''];
    for (let at = 0; at < 8; at++) {
      const cited = { tokenDigest: `token${at}`, arm: 'recommended' as const, insightIds };
      await learn(`voter${at}`, note, [], cited);
    }
    nowMs += settleMs;
    await pass();
    expect(await rows()).toEqual(['run', 'run', 'insight']);
    const { tally } = JSON.parse((await store.rowsNamed(collectionId, insightIds))[0]?.body ?? '{}');
    expect(tally).toMatchObject({ runs: 140, votes: { helped: 8 } });
  });

  it('leaves what was imported again after its deletion', async () => {
    for (const jobId of ['a', 'b']) await learn(jobId);
    const first = consolidator();
    nowMs += 2 * 60 * 60 * 1000;
    await first.pass();
    const kept = await store.page(collectionId, { limit: 10 });
    nowMs += 2 * 60 * 60 * 1000;
    const embedder = createDirectionEmbedder();
    const request = aDeletion({ collectionId, requestedAt: clock.now() });
    await createDeleteByIntent({ store, embedder, clock }, generousLimits)(request, {});
    await importRows(store, kept, { includeDeleted: true });
    const second = consolidator();
    nowMs += 2 * 60 * 60 * 1000;
    await second.pass();
    expect(await rows()).toHaveLength(kept.length);
  });
});
