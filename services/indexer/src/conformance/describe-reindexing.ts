import { createCurateLessons } from '../domain/curate-lessons.js';
import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { createEraseCollection } from '../domain/erase-collection.js';
import { upgradeRows } from '../domain/import-rows.js';
import { lessonIdOf, nameOfInsight } from '../domain/insight-names.js';
import type { Embedder, EmbeddingModel, VectorStore } from '../domain/ports.js';
import { type ReindexOptions, reindex } from '../domain/reindex.js';
import { createReplace } from '../domain/replace.js';
import { createSearch } from '../domain/search.js';
import {
  aCollection,
  aDeletion,
  anInsight,
  aReplacement,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
} from './samples.js';

interface ReindexingHarness {
  /** Opens an empty store for this model; the suite closes it. Called for many models. */
  open(model: EmbeddingModel): Promise<VectorStore>;
  destroy(): Promise<void>;
}

const collectionId = aCollection('moved');

/** Moves knowledge from one model to the next, between stores of one kind. */
export function describeReindexing(name: string, createHarness: () => Promise<ReindexingHarness>): void {
  describe(name, () => {
    let harness: ReindexingHarness;
    let old: Embedder;
    let next: Embedder;
    let source: VectorStore;
    let target: VectorStore;
    let tests = 0;

    beforeAll(async () => {
      harness = await createHarness();
    });
    beforeEach(async () => {
      tests++;
      old = createDirectionEmbedder({ name: `old-${tests}`, dimension: 32 });
      next = createDirectionEmbedder({ name: `next-${tests}`, dimension: 40 });
      source = await harness.open(old.model);
      target = await harness.open(next.model);
    });
    afterEach(async () => {
      await source.close();
      await target.close();
    });
    afterAll(() => harness.destroy());

    const run = (options: ReindexOptions = {}) => reindex({ source, target, embedder: next }, options);
    const store = (into: VectorStore, embedder: Embedder, given: Parameters<typeof aReplacement>[0]) =>
      createReplace({ store: into, embedder, clock }, generousLimits)(aReplacement({ collectionId, ...given }), {});
    const remove = (from: VectorStore, embedder: Embedder, given: Parameters<typeof aDeletion>[0] = {}) =>
      createDeleteByIntent({ store: from, embedder, clock }, generousLimits)(aDeletion({ collectionId, ...given }), {});
    const jobsOf = async (of: VectorStore) => [
      ...new Set((await of.page(collectionId, { limit: 1_000 })).map(({ jobId, attempt }) => `${jobId}/${attempt}`)),
    ];

    it('copies every row with a vector of the new model, then finds nothing to do', async () => {
      for (let n = 0; n < 5; n++) await store(source, old, { jobId: `job-${n}`, intent: `0.${n} of north` });
      await store(source, old, { collectionId: aCollection('another'), jobId: 'job-x' });
      expect(await run()).toEqual({ rounds: 2, copied: 18, withdrawn: 0, markers: 0, settled: true });
      expect((await target.listCollections()).length).toBe(2);
      const [before, after] = [
        await source.page(collectionId, { limit: 99 }),
        await target.page(collectionId, { limit: 99 }),
      ];
      const withoutVectors = (rows: typeof before) => rows.map(({ vector, ...row }) => row);
      expect(withoutVectors(after)).toEqual(withoutVectors(before));
      for (const { intent, vector } of after)
        expect([...vector]).toEqual([...(await next.embed(intent, 'background'))]);
      const search = createSearch({ store: target, embedder: next }, { agentTypeBoost: 1 });
      expect((await search({ collectionId, text: 'north', limit: 1 }, {})).hits[0]?.origin.jobId).toBe('job-4');

      expect(await run()).toEqual({ rounds: 1, copied: 0, withdrawn: 0, markers: 0, settled: true });
    });

    it('copies concurrent writes and withdraws concurrent deletions, regardless of the new vectors', async () => {
      const estranged: Embedder = { ...next, embed: (text) => next.embed(text.replaceAll(' ', '_'), 'background') };
      for (const jobId of ['stays', 'improves']) await store(source, old, { jobId, intent: 'east' });
      await store(source, old, { jobId: 'goes', intent: '0.9 of north' });
      let rounds = 0;
      const changing: VectorStore = {
        ...source,
        async listCollections() {
          if (++rounds === 2) {
            await remove(source, old, { intent: 'north', requestedAt: 300 });
            await store(source, old, { jobId: 'comes', intent: 'west' });
            await store(source, old, { jobId: 'improves', attempt: '2', intent: 'east' });
          }
          return source.listCollections();
        },
      };
      const result = await reindex({ source: changing, target, embedder: estranged });
      expect(result).toEqual({ rounds: 4, copied: 15, withdrawn: 6, markers: 1, settled: true });
      expect(await jobsOf(target)).toEqual(['comes/1', 'improves/2', 'stays/1']);
    });

    it('applies a deletion made between two runs, also to pending uploads', async () => {
      for (const [jobId, intent] of [
        ['deleted', '0.9 of north'],
        ['kept', '0.1 of north'],
      ] as const) {
        await store(source, old, { jobId, intent });
      }
      await run();
      await remove(source, old, { requestedAt: 200 });
      await remove(source, old, { collectionId: aCollection('not yet'), requestedAt: 250 });
      expect(await run()).toMatchObject({ withdrawn: 3, markers: 2 });
      expect(await jobsOf(target)).toEqual(['kept/1']);
      for (const late of [collectionId, aCollection('not yet')]) {
        const request = { collectionId: late, jobId: 'late', acceptedAt: 150 };
        expect(await store(target, next, request)).toMatchObject({ outcome: 'deleted' });
      }
    });

    it('copies what a deletion spared, even if the new model would match it', async () => {
      const closer: Embedder = { ...next, embed: async () => next.embed('north', 'background') };
      await store(source, old, { jobId: 'spared', intent: '0.4 of north' });
      await remove(source, old, { similarityThreshold: 0.5, requestedAt: 200 });
      await reindex({ source, target, embedder: closer });
      expect(await jobsOf(target)).toEqual(['spared/1']);
    });

    it('copies what a deletion spared, even after a later deletion has replaced that one', async () => {
      const closer: Embedder = { ...next, embed: async () => next.embed('north', 'background') };
      const again = () => reindex({ source, target, embedder: closer });
      await remove(source, old, { similarityThreshold: 0.5, requestedAt: 200 });
      await again();
      await store(source, old, { jobId: 'spared', intent: '0.4 of north', acceptedAt: 150 });
      await remove(source, old, { similarityThreshold: 0.5, requestedAt: 300 });
      await again();
      expect(await jobsOf(target)).toEqual(['spared/1']);
    });

    it('erases the copy of a collection that was erased between two runs', async () => {
      await store(source, old, { jobId: 'erased' });
      await run();
      const erase = createEraseCollection({ store: source, embedder: old, clock }, generousLimits);
      await erase({ collectionId, requestedAt: 300 }, {});
      expect(await run()).toMatchObject({ withdrawn: 3, markers: 1, settled: true });
      expect(await jobsOf(target)).toEqual([]);
      expect(await store(target, next, { jobId: 'late', acceptedAt: 250 })).toMatchObject({ outcome: 'deleted' });
    });

    it('undoes nothing if the target already serves', async () => {
      for (const jobId of ['deleted', 'improved', 'kept']) {
        await store(source, old, { jobId, intent: jobId === 'deleted' ? 'north' : 'east' });
      }
      await run();
      await remove(target, next, { intent: 'north', requestedAt: 300 });
      await store(target, next, { jobId: 'improved', attempt: '2', intent: 'east' });
      await store(target, next, { jobId: 'new', intent: 'west', acceptedAt: 400 });
      await store(source, old, { jobId: 'straggler', intent: 'west' });
      expect(await run()).toMatchObject({ copied: 3, withdrawn: 0, settled: true });
      expect(await jobsOf(target)).toEqual(['improved/2', 'kept/1', 'new/1', 'straggler/1']);
    });

    it('copies votes after their insights, and removes them with their insights', async () => {
      const cite = (jobId: string, shown: string) => ({
        jobId,
        intent: 'west',
        acceptedAt: 250,
        cited: { tokenDigest: jobId, arm: 'recommended' as const, insightIds: [`${collectionId}/${shown}/1/1`] },
      });
      const votesIn = async (of: VectorStore) =>
        (await of.page(collectionId, { limit: 100 })).filter(({ type }) => type === 'vote').map(({ jobId }) => jobId);
      await store(source, old, { jobId: 'z-kept', intent: 'east' });
      await store(source, old, { jobId: 'z-deleted', intent: 'north' });
      await store(source, old, { jobId: 'z-deleted-in-target', intent: 'south' });
      await store(source, old, cite('a-kept', 'z-kept'));
      await store(source, old, cite('a-deleted', 'z-deleted'));
      await store(source, old, cite('a-deleted-in-target', 'z-deleted-in-target'));
      expect(await run()).toMatchObject({ copied: 21, settled: true });
      expect(await votesIn(target)).toEqual(await votesIn(source));
      expect(await target.votesOn(collectionId, ['z-kept/1'], 10)).toHaveLength(1);
      for (const { type, vector } of await target.page(collectionId, { limit: 100 })) {
        if (type === 'vote') expect([...vector]).toEqual([1, ...Array(next.model.dimension - 1).fill(0)]);
      }

      await remove(source, old, { intent: 'north', requestedAt: 200 });
      await remove(target, next, { intent: 'south', requestedAt: 200 });
      expect(await run()).toMatchObject({ copied: 0, settled: true });
      expect(await votesIn(target)).toEqual(['a-kept']);
    });

    it('copies decisions and settings, and deletions of lessons, which need no vector', async () => {
      const [kept, goes] = [anInsight({ actions: ['keep'] }), anInsight({ actions: ['go'] })];
      const lessonOf = (insight: typeof kept) =>
        lessonIdOf(nameOfInsight({ insight, run: aReplacement().run, intent: 'north' }));
      const curate = createCurateLessons({ store: source, embedder: old, clock }, generousLimits);
      const decide = (lesson: string, state: 'pinned' | 'muted') =>
        curate.decideLesson({ collectionId, decision: { lesson, state, keyId: 'k', decidedAt: 150 } }, {});
      await store(source, old, { jobId: 'both', insights: [kept, goes] });
      await decide(lessonOf(kept), 'muted');
      await decide(lessonOf(kept), 'pinned');
      await decide(lessonOf(goes), 'pinned');
      await curate.changeSettings({ collectionId, settings: { review: 'required' }, keyId: 'k', changedAt: 150 }, {});
      await run();
      const decided = async () => {
        const search = createSearch({ store: target, embedder: next }, { agentTypeBoost: 1 });
        const { verdicts, settings } = await search({ collectionId, text: 'north', limit: 9 }, {});
        return { verdicts: verdicts.map(({ lesson, state }) => `${lesson} ${state}`).sort(), settings };
      };
      const settings = { review: 'required' };
      const both = [kept, goes].map((insight) => `${lessonOf(insight)} pinned`).sort();
      expect(await decided()).toEqual({ verdicts: both, settings });

      await curate.deleteLesson({ collectionId, lesson: lessonOf(goes), requestedAt: 200 }, {});
      expect(await run()).toMatchObject({ withdrawn: 2, markers: 1, settled: true });
      expect(await decided()).toEqual({ verdicts: [`${lessonOf(kept)} pinned`], settings });
      expect(await store(target, next, { jobId: 'late', insights: [goes] })).toMatchObject({ outcome: 'deleted' });
      const jobs = await jobsOf(target);
      expect(jobs.some((job) => job.startsWith(lessonOf(goes)))).toBe(false);
    });

    it('copies vectors if the model stays the same, and respects every deletion', async () => {
      const spread = await harness.open({ ...old.model, name: 'spread' });
      await store(source, old, { jobId: 'kept', intent: 'east' });
      await store(source, old, { jobId: 'deleted', intent: 'north' });
      await reindex({ source, target: spread });
      await remove(spread, old, { requestedAt: 300 });
      await reindex({ source, target: spread });
      expect(await jobsOf(spread)).toEqual(['kept/1']);
      expect((await spread.page(collectionId, { limit: 1 }))[0]?.vector).toHaveLength(old.model.dimension);
      await spread.close();
    });

    /** Rewrites rows in the format of the previous version. */
    const makeEarlier = async (of: VectorStore) => {
      const rows = (await of.page(collectionId, { limit: 100 })).map((row) => {
        const { insight, ...rest } = JSON.parse(row.body);
        if (!insight) return row;
        const { scope, rule, actions, effects, ...said } = insight;
        return { ...row, body: JSON.stringify({ insight: said, ...rest }) };
      });
      await of.upsert(collectionId, rows);
    };
    const rulesIn = async (of: VectorStore) =>
      (await of.page(collectionId, { limit: 100 }))
        .filter(({ type }) => type === 'insight')
        .map(({ jobId, body }) => `${jobId} ${JSON.parse(body).insight.rule}`);
    const oneInsight = { insights: [anInsight({ example: 'rm a', effects: ['destroys'] })] };

    it('copies rows of an earlier version in the current format', async () => {
      await store(source, old, { jobId: 'job', ...oneInsight });
      await makeEarlier(source);
      await reindex({ source, target, embedder: next });
      const bodies = (await target.page(collectionId, { limit: 9 })).map(({ body }) => JSON.parse(body));
      expect(bodies[1].insight).toMatchObject({ scope: 'task', rule: 'old', effects: ['destroys'] });
      expect(bodies[1].insight.actions).toHaveLength(1);
      expect(await run()).toMatchObject({ copied: 0, settled: true });
    });

    it('upgrades rows of an earlier version in place, once, and leaves the others alone', async () => {
      await store(source, old, { jobId: 'earlier', intent: 'east', ...oneInsight });
      await makeEarlier(source);
      await store(source, old, { jobId: 'new', intent: 'west', ...oneInsight });
      const before = await source.page(collectionId, { limit: 100 });
      expect(await upgradeRows({ store: source })).toEqual({ upgraded: 1 });
      expect(await rulesIn(source)).toEqual(['earlier old', 'new a-rule']);
      const after = await source.page(collectionId, { limit: 100 });
      expect(after.map(({ body: _, ...row }) => row)).toEqual(before.map(({ body: _, ...row }) => row));
      expect(await upgradeRows({ store: source })).toEqual({ upgraded: 0 });
      const search = createSearch({ store: source, embedder: old }, { agentTypeBoost: 1 });
      const { hits } = await search({ collectionId, text: 'east', limit: 1 }, {});
      expect(hits[0]?.insight).toMatchObject({ rule: 'old', effects: ['destroys'] });
    });

    it('does not restore rows deleted during an upgrade', async () => {
      for (const [jobId, intent] of [
        ['deleted', 'north'],
        ['improved', 'east'],
        ['kept', 'east'],
      ] as const) {
        await store(source, old, { jobId, intent, ...oneInsight });
      }
      await makeEarlier(source);
      let looks = 0;
      const changing: VectorStore = {
        ...source,
        async page(id, options) {
          const page = await source.page(id, options);
          await remove(source, old, { intent: 'north', requestedAt: 300 });
          await store(source, old, { jobId: 'improved', attempt: '2', intent: 'east', ...oneInsight });
          return page;
        },
        // The first read of markers precedes the deletion.
        markers: async (id, from) => (looks++ === 0 ? [] : source.markers(id, from)),
      };
      await upgradeRows({ store: changing });
      expect(await rulesIn(source)).toEqual(['improved a-rule', 'kept old']);
      expect(await jobsOf(source)).toEqual(['improved/2', 'kept/1']);
    });

    it('does not delete rows re-imported after a deletion', async () => {
      await store(source, old, { jobId: 'job', intent: 'north', ...oneInsight });
      await makeEarlier(source);
      const rows = await source.page(collectionId, { limit: 9 });
      await remove(source, old, { intent: 'north', requestedAt: 300 });
      await source.upsert(collectionId, rows);
      expect(await upgradeRows({ store: source })).toEqual({ upgraded: 0 });
      expect(await jobsOf(source)).toEqual(['job/1']);
    });

    it('stops when the caller cancels', async () => {
      await store(source, old, { jobId: 'job' });
      await expect(run({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
      expect(await jobsOf(target)).toEqual([]);
    });
  });
}
