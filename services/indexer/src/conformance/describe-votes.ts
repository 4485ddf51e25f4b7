import type { CitedEnhancement, ReplaceRequest } from '@whetstone/contracts';

import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { importRows } from '../domain/import-rows.js';
import { cosine } from '../domain/intent/similarity.js';
import type { Row } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { createSearch } from '../domain/search.js';
import {
  aCollection,
  aDeletion,
  anInsight,
  aReplacement,
  aRow,
  aVector,
  aVote,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

const embedder = createDirectionEmbedder();

export function describeVotes(opened: OpenStore): void {
  const votesOn = async (collection: string, ...insights: string[]) =>
    (await opened.store.votesOn(collection, insights, 100)).map(({ id }) => id).sort();

  describe('votes', () => {
    it('are found by and with their insight', async () => {
      const collection = await opened.create('found', 'votes');
      const insight = aRow(collection, { jobId: 'shown', attempt: '7', ordinal: 2 });
      const rows = [
        aVote(collection, 'shown/2', { jobId: 'job-1', helped: true, acceptedAt: 1_762_345_678_901_234 }),
        aVote(collection, 'shown/2', { jobId: 'job-2', helped: false, tokenDigest: 'another_Token-1' }),
        aVote(collection, 'shown/1', { jobId: 'job-3' }),
        aVote(collection, 'shown/22', { jobId: 'job-4' }),
      ];
      await opened.store.upsert(collection, [insight, ...rows]);
      expect(await votesOn(collection, 'shown/2', 'shown/3', 'shown/2')).toEqual([rows[0]?.id, rows[1]?.id]);
      const { votes } = await opened.store.search(collection, { vector: aVector(1), text: '', limit: 5 });
      expect(votes).toEqual([{ about: 'shown/2', helped: 1, harmed: 1 }]);
      const byWords = { vector: aVector(-1), text: 'some words', limit: 5 };
      expect((await opened.store.search(collection, byWords)).votes).toEqual(votes);
      expect((await opened.store.page(collection, { limit: 10 })).filter(({ type }) => type === 'vote')).toHaveLength(
        4,
      );
    });

    it('count once per answer: the earliest row, ties by the lowest id', async () => {
      const collection = await opened.create('counted', 'votes');
      const vote = (jobId: string, tokenDigest: string, acceptedAt: number, helped: boolean) =>
        aVote(collection, 'shown/1', { jobId, tokenDigest, acceptedAt, helped });
      await opened.store.upsert(collection, [
        aRow(collection, { jobId: 'shown' }),
        vote('job-1', 'one', 30, true),
        vote('job-2', 'one', 10, false),
        vote('job-3', 'one', 20, true),
        vote('job-5', 'two', 10, true),
        vote('job-4', 'two', 10, false),
        vote('job-6', 'three', 10, true),
      ]);
      const { votes } = await opened.store.search(collection, { vector: aVector(1), text: '', limit: 5 });
      expect(votes).toEqual([{ about: 'shown/1', helped: 1, harmed: 2 }]);
    });

    it('are limited, deleted, and survive reopening', async () => {
      const collection = await opened.create('kept', 'votes');
      const rows = Array.from({ length: 5 }, (_, n) => aVote(collection, 'shown/1', { jobId: `job-${n}` }));
      await opened.store.upsert(collection, rows);
      expect(await opened.store.votesOn(collection, ['shown/1'], 3)).toHaveLength(3);
      expect(await opened.store.votesOn(collection, [], 3)).toEqual([]);
      await opened.store.deleteRows(
        collection,
        rows.slice(0, 3).map(({ id }) => id),
      );
      await opened.store.upsert(collection, [aVote(collection, 'shown/2', { jobId: 'job-3' })]);
      await opened.reopen();
      expect(await votesOn(collection, 'shown/1')).toEqual([rows[4]?.id]);
      expect(await votesOn(collection, 'shown/2')).toHaveLength(1);
      expect(await votesOn(aCollection('missing', 'votes'), 'shown/1')).toEqual([]);
    });

    it('are never visible from another collection with insights of the same names', async () => {
      const [mine, theirs] = [await opened.create('mine', 'votes'), await opened.create('mine1', 'votes')];
      for (const collection of [mine, theirs]) {
        await opened.store.upsert(collection, [aRow(collection, { jobId: 'shown' })]);
      }
      await opened.store.upsert(theirs, [aVote(theirs, 'shown/1', {})]);
      expect(await votesOn(mine, 'shown/1')).toEqual([]);
      expect((await opened.store.search(mine, { vector: aVector(1), text: '', limit: 5 })).votes).toEqual([]);
      expect(await votesOn(theirs, 'shown/1')).toHaveLength(1);
    });

    it('with a malformed body are stored but not counted', async () => {
      const collection = await opened.create('nonsense', 'votes');
      const bodies = ['{}', 'null', '{"vote":{"about":"shown/1","tokenDigest":"t","helped":"yes"}}', 'no JSON'];
      const rows = bodies.map((body, n) => aRow(collection, { jobId: `job-${n}`, type: 'vote', text: '', body }));
      await opened.store.upsert(collection, rows);
      expect(await votesOn(collection, 'shown/1')).toEqual([]);
      expect(await opened.store.page(collection, { limit: 10 })).toHaveLength(4);
    });
  });

  describe('an outcome', () => {
    const replace = (given: Partial<ReplaceRequest> & { acceptedAt?: number }) =>
      createReplace({ store: opened.store, embedder, clock }, generousLimits)(aReplacement(given), {});
    const remove = (given: Parameters<typeof aDeletion>[0]) =>
      createDeleteByIntent({ store: opened.store, embedder, clock }, generousLimits)(aDeletion(given), {});
    const hitsOf = async (collectionId: string, text = 'north') => {
      const search = createSearch({ store: opened.store, embedder }, { agentTypeBoost: 1 });
      return (await search({ collectionId, text, limit: 10 }, {})).hits;
    };
    const countOf = async (collectionId: string, job: string, ordinal = 1) =>
      (await hitsOf(collectionId)).find(
        ({ id }) => id.startsWith(`${collectionId}/${job}/`) && id.endsWith(`/${ordinal}`),
      )?.votes;
    const votesIn = async (collectionId: string) =>
      (await opened.store.page(collectionId, { limit: 1_000 })).filter(({ type }) => type === 'vote');

    /** A job whose two insights are shown to others, and how to cite them. */
    async function shown(name: string) {
      const collectionId = aCollection(name, 'outcomes');
      await replace({ collectionId, jobId: 'shown' });
      const cite = (
        jobId: string,
        success: boolean,
        given: Partial<
          CitedEnhancement & { attempt: string; acceptedAt: number; intent: string; judged: boolean }
        > = {},
      ) => {
        const { attempt = '1', acceptedAt = 150, intent = 'east', judged = false, ...cited } = given;
        return replace({
          collectionId,
          jobId,
          attempt,
          acceptedAt,
          intent,
          insights: [anInsight()],
          run: { outcome: success ? 'success' : 'failure', judged, uses: [], changes: [], steps: [] },
          cited: {
            tokenDigest: `of-${jobId}`,
            arm: 'recommended',
            insightIds: [`${collectionId}/shown/1/1`, `${collectionId}/shown/1/2`],
            ...cited,
          },
        });
      };
      return { collectionId, cite };
    }

    it('is a vote on each insight shown, idempotently', async () => {
      const { collectionId, cite } = await shown('votes');
      for (const attempt of ['1', '1', '2']) {
        expect(await cite('good', true, { attempt })).toMatchObject({ outcome: 'stored', insightsStored: 1 });
      }
      await cite('bad', false, { insightIds: [`${collectionId}/shown/1/2`] });
      expect(await countOf(collectionId, 'shown', 1)).toEqual({ helped: 1, harmed: 0 });
      expect(await countOf(collectionId, 'shown', 2)).toEqual({ helped: 1, harmed: 1 });
      expect((await hitsOf(collectionId, 'east')).find(({ origin }) => origin.jobId === 'good')).not.toHaveProperty(
        'votes',
      );
      const rows = await votesIn(collectionId);
      expect(rows).toHaveLength(3);
      for (const { intent, text } of rows) expect([intent, text]).toEqual(['', '']);
    });

    it('counts once per answer, by the upload accepted first', async () => {
      const { collectionId, cite } = await shown('once');
      await cite('third', true, { tokenDigest: 'same', acceptedAt: 170 });
      await cite('first', false, { tokenDigest: 'same', acceptedAt: 150 });
      await cite('second', true, { tokenDigest: 'same', acceptedAt: 160 });
      expect(await countOf(collectionId, 'shown')).toEqual({ helped: 0, harmed: 1 });
    });

    it('that was not reported, or cites nothing shown from this collection, is not a vote; the run records the citation', async () => {
      const { collectionId, cite } = await shown('no-vote');
      await cite('judged', true, { judged: true });
      await cite('held', true, { arm: 'holdout' });
      await cite('silent', false, { arm: 'nothing_to_say', insightIds: [] });
      const elsewhere = aCollection('elsewhere', 'outcomes');
      await cite('foreign', true, { insightIds: [`${elsewhere}/shown/1/1`, 'shown/1', 'nonsense', ''] });
      expect(await votesIn(collectionId)).toEqual([]);
      expect(await countOf(collectionId, 'shown')).toBeUndefined();
      const citedBy = async (jobId: string) => {
        const [run] = await opened.store.rowsOfJobs(collectionId, [jobId]);
        return JSON.parse((run as Row).body).cited;
      };
      expect(await citedBy('held')).toEqual({ tokenDigest: 'of-held', arm: 'holdout' });
      expect(await citedBy('silent')).toEqual({ tokenDigest: 'of-silent', arm: 'nothing_to_say' });
      expect(await citedBy('shown')).toBeUndefined();
    });

    it('stays with an insight that a later attempt keeps, and goes with one it drops', async () => {
      const { collectionId, cite } = await shown('attempts');
      await cite('good', true);
      await replace({ collectionId, jobId: 'shown', attempt: '2', insights: [anInsight({ title: 'One only' })] });
      await cite('late', true);
      expect(await countOf(collectionId, 'shown')).toEqual({ helped: 2, harmed: 0 });
      expect(await votesIn(collectionId)).toHaveLength(2);
    });

    it('is deleted with its insight, and dropped if it arrives later', async () => {
      const { collectionId, cite } = await shown('deleted');
      await cite('before', true);
      expect(await remove({ collectionId, dryRun: true })).toMatchObject({ deletedCount: 2 });
      expect(await votesIn(collectionId)).toHaveLength(2);
      expect(await remove({ collectionId })).toEqual({ deletedCount: 2, matches: [] });
      expect(await votesIn(collectionId)).toEqual([]);
      expect(await cite('after', true, { acceptedAt: 300 })).toMatchObject({ outcome: 'stored', insightsStored: 1 });
      expect(await votesIn(collectionId)).toEqual([]);
      const left = await opened.store.page(collectionId, { limit: 100 });
      expect(left.map(({ jobId, type }) => `${jobId} ${type}`).sort()).toEqual([
        'after insight',
        'after run',
        'before insight',
        'before run',
      ]);
    });

    it('stays with its insight if a deletion removes the run, before or after', async () => {
      const { collectionId, cite } = await shown('runs-go');
      await cite('processed', true, { intent: 'west' });
      await remove({ collectionId, intent: 'west', requestedAt: 200 });
      expect(await cite('on its way'.replaceAll(' ', '-'), true, { intent: 'west' })).toEqual({
        outcome: 'deleted',
        insightsStored: 0,
      });
      expect(await countOf(collectionId, 'shown')).toEqual({ helped: 2, harmed: 0 });
      expect((await votesIn(collectionId)).length).toBe(4);
    });

    it('has no intent: deletions do not match it, and it can be imported', async () => {
      const { collectionId, cite } = await shown('no-intent');
      await cite('good', true);
      const votes = await votesIn(collectionId);
      const alike = await intentLike(votes[0] as Row);

      expect(await remove({ collectionId, intent: alike, similarityThreshold: 0.9, requestedAt: 1_000 })).toMatchObject(
        {
          deletedCount: 0,
        },
      );
      expect(await votesIn(collectionId)).toHaveLength(2);
      expect(await importRows(opened.store, votes, { includeDeleted: false })).toMatchObject({ stored: 2, deleted: 0 });
    });

    it('of an older attempt is withdrawn with it', async () => {
      const { collectionId, cite } = await shown('superseded');
      await cite('job', true, { attempt: '2' });
      expect(await cite('job', false, { attempt: '1' })).toMatchObject({ outcome: 'superseded' });
      expect(await countOf(collectionId, 'shown')).toEqual({ helped: 1, harmed: 0 });
      expect(await votesIn(collectionId)).toHaveLength(2);
    });
  });
}

/** An intent with the vector of the row. */
async function intentLike({ vector }: Row): Promise<string> {
  for (let n = 0; ; n++) {
    const intent = `direction-${n}`;
    if (cosine(await embedder.embed(intent, 'background'), vector) > 0.99) return intent;
  }
}
