import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import type { Row, VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { createGetRuns } from '../domain/search.js';
import {
  aCollection,
  aDeletion,
  anInsight,
  aReplacement,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

export function describeProtocols(opened: OpenStore): void {
  const embedder = createDirectionEmbedder();
  const replace: ReturnType<typeof createReplace> = (request, call) =>
    createReplace({ store: opened.store, embedder, clock }, generousLimits)(request, call);
  const deleteByIntent: ReturnType<typeof createDeleteByIntent> = (request, call) =>
    createDeleteByIntent({ store: opened.store, embedder, clock }, generousLimits)(request, call);
  const rowsOf = async (collectionId: string) =>
    (await opened.store.page(collectionId, { limit: 1_000 })).map(
      ({ jobId, attempt, ordinal }) => `${jobId}/${attempt}/${ordinal}`,
    );

  describe('replacing', () => {
    it('stores the run and its insights, idempotently', async () => {
      const request = aReplacement({ collectionId: aCollection('replace-once') });
      for (let i = 0; i < 3; i++)
        expect(await replace(request, {})).toMatchObject({ outcome: 'stored', insightsStored: 2 });
      expect(await rowsOf(request.collectionId)).toEqual(['job/1/0', 'job/1/1', 'job/1/2']);
    });

    it('lets the later attempt win, in any order', async () => {
      const collectionId = aCollection('replace-attempts');
      await replace(aReplacement({ collectionId, attempt: '1' }), {});
      expect(await replace(aReplacement({ collectionId, attempt: '2', insights: [] }), {})).toMatchObject({
        outcome: 'stored',
        insightsStored: 0,
      });
      expect(await replace(aReplacement({ collectionId, attempt: '1' }), {})).toMatchObject({
        outcome: 'superseded',
        supersededBy: '2',
      });
      expect(await rowsOf(collectionId)).toEqual(['job/2/0']);
    });

    it('does not touch other jobs and collections', async () => {
      const [mine, theirs] = [aCollection('replace-mine'), aCollection('replace-theirs')];
      await replace(aReplacement({ collectionId: theirs, attempt: '1' }), {});
      await replace(aReplacement({ collectionId: mine, jobId: 'job2', attempt: '1' }), {});
      await replace(aReplacement({ collectionId: mine, attempt: '2' }), {});
      expect(await rowsOf(theirs)).toHaveLength(3);
      expect(await rowsOf(mine)).toHaveLength(6);
    });
  });

  describe('reading runs', () => {
    const getRuns: ReturnType<typeof createGetRuns> = (request, call) =>
      createGetRuns({ store: opened.store })(request, call);
    const ended = (outcome: 'success' | 'failure') => ({
      outcome,
      judged: false,
      uses: ['refund'],
      changes: ['refund'],
      steps: [{ turn: 1, action: 'refund(17)', outcome: 'error' as const, note: 'no such order' }],
    });

    it('returns stored runs in the requested order and skips missing ones', async () => {
      const collectionId = aCollection('runs');
      await replace(aReplacement({ collectionId, jobId: 'one', run: ended('success') }), {});
      await replace(aReplacement({ collectionId, jobId: 'two', run: ended('failure'), insights: [] }), {});
      expect(await getRuns({ collectionId, jobIds: ['two', 'three', 'one'] }, {})).toEqual({
        runs: [
          { jobId: 'two', run: ended('failure') },
          { jobId: 'one', run: ended('success') },
        ],
      });
      expect(await getRuns({ collectionId, jobIds: [] }, {})).toEqual({ runs: [] });
    });

    it('does not see a job of the same name in another collection', async () => {
      await replace(aReplacement({ collectionId: aCollection('runs-theirs') }), {});
      expect(await getRuns({ collectionId: aCollection('runs-mine'), jobIds: ['job'] }, {})).toEqual({ runs: [] });
    });

    it('returns the later of two coexisting attempts', async () => {
      const collectionId = aCollection('runs-attempts');
      await replace(aReplacement({ collectionId, attempt: '2', run: ended('failure') }), {});
      const [later] = await opened.store.rowsOfJobs(collectionId, ['job']);
      const body = JSON.stringify({ run: ended('success') });
      const id = later?.id.replace('/2/', '/1/') ?? '';
      await opened.store.upsert(collectionId, [{ ...(later as Row), id, attempt: '1', body }]);
      expect(await getRuns({ collectionId, jobIds: ['job'] }, {})).toEqual({
        runs: [{ jobId: 'job', run: ended('failure') }],
      });
    });

    it('rejects too many jobs', async () => {
      const jobIds = Array.from({ length: 17 }, (_, at) => `job-${at}`);
      await expect(getRuns({ collectionId: aCollection('runs'), jobIds }, {})).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    });
  });

  describe('deleting by intent', () => {
    it('deletes similar runs with their insights, and counts insights', async () => {
      const collectionId = aCollection('delete-near');
      await replace(aReplacement({ collectionId, jobId: 'near', intent: '0.9 of north' }), {});
      await replace(aReplacement({ collectionId, jobId: 'far', intent: '0.2 of north' }), {});
      await replace(aReplacement({ collectionId, jobId: 'nothing', intent: 'north', insights: [] }), {});
      expect(await deleteByIntent(aDeletion({ collectionId }), {})).toEqual({ deletedCount: 2, matches: [] });
      expect(await rowsOf(collectionId)).toEqual(['far/1/0', 'far/1/1', 'far/1/2']);
    });

    it('applies the threshold to within a millionth', async () => {
      const collectionId = aCollection('delete-exact');
      const similarities = { above: 0.70001, just: 0.7, tolerated: 0.7 - 1e-7, below: 0.7 - 1e-5, under: 0.69 };
      for (const [jobId, cosine] of Object.entries(similarities)) {
        await replace(aReplacement({ collectionId, jobId, intent: `${cosine} of north`, insights: [anInsight()] }), {});
      }
      const deletion = aDeletion({ collectionId, similarityThreshold: 0.7 });
      expect(await deleteByIntent({ ...deletion, dryRun: true }, {})).toMatchObject({ deletedCount: 3 });
      expect(await deleteByIntent(deletion, {})).toMatchObject({ deletedCount: 3 });
      const left = new Set((await rowsOf(collectionId)).map((row) => row.split('/')[0]));
      expect([...left].sort()).toEqual(['below', 'under']);
    });

    it('deletes everything except opposites at 0, and only equal intents at 1', async () => {
      const collectionId = aCollection('delete-edges');
      const intents = ['north', '0.999 of north', '0 of north', '-0.5 of north'];
      for (const [n, intent] of intents.entries()) {
        await replace(aReplacement({ collectionId, jobId: `job-${n}`, intent, insights: [anInsight()] }), {});
      }
      expect(await deleteByIntent(aDeletion({ collectionId, similarityThreshold: 1 }), {})).toMatchObject({
        deletedCount: 1,
      });
      expect(await deleteByIntent(aDeletion({ collectionId, similarityThreshold: 0 }), {})).toMatchObject({
        deletedCount: 2,
      });
    });

    it('as a dry run counts, lists the twenty least similar first, and leaves no marker', async () => {
      const collectionId = aCollection('delete-dry');
      for (let n = 0; n < 25; n++) {
        await replace(
          aReplacement({ collectionId, jobId: `job-${n}`, intent: `0.${60 + n} of north`, insights: [anInsight()] }),
          {},
        );
      }
      const { deletedCount, matches } = await deleteByIntent(aDeletion({ collectionId, dryRun: true }), {});
      expect(deletedCount).toBe(25);
      expect(matches).toHaveLength(20);
      expect(matches[0]).toEqual({
        id: `${collectionId}/job-0/1/1`,
        intent: '0.60 of north',
        similarity: expect.closeTo(0.6, 5),
      });
      expect(matches.map(({ similarity }) => similarity)).toEqual(
        matches.map(({ similarity }) => similarity).toSorted(),
      );
      expect(await opened.store.markers(collectionId, 0)).toEqual([]);
      expect(await rowsOf(collectionId)).toHaveLength(50);
    });

    it('covers an upload accepted before it and processed after it, but no later one', async () => {
      const collectionId = aCollection('delete-before');
      expect(await deleteByIntent(aDeletion({ collectionId, requestedAt: 200 }), {})).toEqual({
        deletedCount: 0,
        matches: [],
      });
      expect(await opened.store.hasCollection(collectionId)).toBe(false);
      const accepted = (jobId: string, acceptedAt: number, intent = 'north') =>
        replace(aReplacement({ collectionId, jobId, acceptedAt, intent }), {});
      expect(await accepted('before', 199)).toEqual({ outcome: 'deleted', insightsStored: 0 });
      expect(await accepted('same', 200)).toMatchObject({ outcome: 'deleted' });
      expect(await accepted('after', 201)).toMatchObject({ outcome: 'stored' });
      expect(await accepted('other', 199, 'east')).toMatchObject({ outcome: 'stored' });
      expect(await accepted('edge', 199, '0.4999999 of north')).toMatchObject({ outcome: 'deleted' });
      expect(await accepted('below', 199, '0.49999 of north')).toMatchObject({ outcome: 'stored' });
      const left = new Set((await rowsOf(collectionId)).map((row) => row.split('/')[0]));
      expect([...left].sort()).toEqual(['after', 'below', 'other']);
    });

    it('stops earlier uploads before they write, who remove what a crashed attempt has left', async () => {
      const collectionId = aCollection('delete-while-learning');
      const { store } = opened;
      await replace(aReplacement({ collectionId, jobId: 'other', intent: 'east' }), {});
      await deleteByIntent(aDeletion({ collectionId, requestedAt: 200 }), {});
      const replaceOn = (other: VectorStore) => createReplace({ store: other, embedder, clock }, generousLimits);
      const pending = (attempt: string) => aReplacement({ collectionId, jobId: 'pending', acceptedAt: 100, attempt });
      const crashing = { ...store, markers: async () => [], rowsOfJobs: () => Promise.reject(new Error('killed')) };
      const reading = { ...store, upsert: () => Promise.reject(new Error('written')) };
      await expect(replaceOn(crashing)(pending('1'), {})).rejects.toThrow('killed');
      expect(await rowsOf(collectionId)).toContain('pending/1/0');

      expect(await replaceOn(reading)(pending('2'), {})).toEqual({ outcome: 'deleted', insightsStored: 0 });

      expect((await rowsOf(collectionId)).filter((row) => row.startsWith('pending'))).toEqual([]);
    });

    it('expires old markers only', async () => {
      const collectionId = aCollection('delete-markers');
      for (const requestedAt of [10, 20, 30]) {
        await deleteByIntent(aDeletion({ collectionId, requestedAt, intent: `intent ${requestedAt}` }), {});
      }
      await opened.store.expireMarkers(20);
      const times = (await opened.store.markers(collectionId, 0)).map(({ deletedAt }) => deletedAt);
      expect(times.sort((a, b) => a - b)).toEqual([20, 30]);
    });
  });
}
