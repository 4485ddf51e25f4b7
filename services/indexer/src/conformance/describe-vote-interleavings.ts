import type { ReplaceResult } from '@whetstone/contracts';

import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import type { VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { createDirectionEmbedder } from './direction-embedder.js';
import { type Actor, allInterleavings, type Crash, type Interleaving, interleave } from './interleave.js';
import { aCollection, aDeletion, aReplacement } from './sample-rows.js';
import type { OpenStore } from './vector-store-harness.js';

const embedder = createDirectionEmbedder();
const crashes: (Crash | undefined)[] = [undefined, ...[0, 1, 2].map((afterSteps) => ({ actor: 'vote', afterSteps }))];

interface Ending extends Interleaving<ReplaceResult | undefined> {
  crash: Crash | undefined;
  /** Rows that are left, by type. */
  left: string[];
}

/** A vote on an insight, and a deletion of that insight, in every order; the vote's process may end after any step. */
export function describeVoteInterleavings(opened: OpenStore): void {
  let runs = 0;

  async function run(
    crash: Crash | undefined,
    choose: (possible: number, step: number) => number,
    voterSees: (store: VectorStore) => VectorStore = (store) => store,
  ): Promise<Ending> {
    const { store } = opened;
    const collectionId = aCollection(`vote ${runs++}`, 'interleaved');
    await replaceOn(store)(aReplacement({ collectionId, jobId: 'shown', acceptedAt: 100 }), {});
    const cited = { tokenDigest: 't', arm: 'recommended' as const, insightIds: [`${collectionId}/shown/1/1`] };
    const voting =
      (attempt: string): Actor<ReplaceResult> =>
      (on) => {
        const given = { collectionId, jobId: 'voter', attempt, acceptedAt: 300, intent: 'east', insights: [], cited };
        return replaceOn(voterSees(on))(aReplacement(given), {});
      };
    const deletion: Actor<undefined> = async (on) => {
      await createDeleteByIntent({ store: on, embedder })(aDeletion({ collectionId, requestedAt: 200 }), {});
    };
    const ending = await interleave<ReplaceResult | undefined>(store, { vote: voting('1'), deletion }, crash, choose);
    if (!ending.results.has('vote')) await voting('2')(store);
    const rows = await store.page(collectionId, { limit: 100 });
    return { ...ending, crash, left: rows.map(({ jobId, type }) => `${jobId} ${type}`) };
  }

  /** In parts that run side by side, each in collections of its own. */
  function endings(voterSees?: (store: VectorStore) => VectorStore): AsyncGenerator<Ending>[] {
    return crashes.flatMap((crash) =>
      [0, 1].map((first) => allInterleavings(first, (choose) => run(crash, choose, voterSees))),
    );
  }

  describe('a vote and the deletion of its insight', () => {
    it(
      'leave neither, in every order',
      async () => {
        const bad: Ending[] = [];
        let tried = 0;
        const judge = async (some: AsyncGenerator<Ending>) => {
          for await (const ending of some) {
            tried++;
            if (ending.left.join() !== 'voter run') bad.push(ending);
          }
        };
        await Promise.all(endings().map(judge));
        expect(bad.slice(0, 3)).toEqual([]);
        expect(tried).toBeGreaterThan(50);
      },
      10 * 60_000,
    );

    it(
      'are found out where the vote does not look for its insight',
      async () => {
        const there = { type: 'insight' as const, jobId: 'shown', ordinal: 1 };
        const careless = (store: VectorStore): VectorStore => ({
          ...store,
          rowsOfJob: async (collectionId, jobId) => {
            const rows = await store.rowsOfJob(collectionId, jobId);
            return jobId === 'shown' ? [{ ...rows[0], ...there } as (typeof rows)[number]] : rows;
          },
        });
        expect(await isFoundOut(endings(careless))).toBe(true);
      },
      10 * 60_000,
    );
  });
}

/** Whether there is an order that leaves a vote on nothing; the first will do. */
async function isFoundOut(parts: AsyncGenerator<Ending>[]): Promise<boolean> {
  for (const part of parts) {
    for await (const { left } of part) if (left.includes('voter vote')) return true;
  }
  return false;
}

function replaceOn(store: VectorStore) {
  return createReplace({ store, embedder }, { maxCollectionsPerAccount: Number.POSITIVE_INFINITY });
}
