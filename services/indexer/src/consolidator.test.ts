import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from '@whetstone/platform';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import {
  aCollection,
  anInsight,
  aReplacement,
  conformanceModel,
  createDirectionEmbedder,
  generousLimits,
} from './conformance/samples.js';
import { createConsolidator } from './consolidator.js';
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

  async function learn(jobId: string, note?: ReturnType<typeof consolidator>['note'], insights = [anInsight()]) {
    const deps = { store, embedder: createDirectionEmbedder(), clock, ...(note && { onStored: note }) };
    const attempt = `${clock.now()}`.padStart(17, '0');
    await createReplace(deps, generousLimits)(
      aReplacement({ collectionId, jobId, attempt, insights, acceptedAt: clock.now() }),
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
});
