import type { ReplaceResult } from '@whetstone/contracts';
import { randomNumbers } from '@whetstone/platform/test-kit';

import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import type { Row, VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { type Actor, allInterleavings, type Crash, type Interleaving, interleave } from './interleave.js';
import {
  aCollection,
  aDeletion,
  aReplacement,
  type ConformanceOptions,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

const embedder = createDirectionEmbedder();
const crashes: (Crash | undefined)[] = [
  undefined,
  ...['first', 'second'].flatMap((actor) => [0, 1, 2].map((afterSteps) => ({ actor, afterSteps }))),
  ...[0, 1, 2, 3].map((afterSteps) => ({ actor: 'deletion', afterSteps })),
];

interface Ending extends Interleaving<ReplaceResult | undefined> {
  rows: Row[];
  crash: Crash | undefined;
}

/** Two attempts at one job and a deletion that covers it, in every order, with a crash after any step. */
export function describeInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function run(crash: Crash | undefined, choose: (possible: number, step: number) => number): Promise<Ending> {
    const { store } = opened;
    const collectionId = aCollection(`run ${runs++}`, 'interleaved');
    await store.createCollection(collectionId);
    const attempt =
      (name: string): Actor<ReplaceResult> =>
      (stepping) =>
        replaceOn(withoutVotes(stepping))(aReplacement({ collectionId, attempt: name, acceptedAt: 100 }), {});
    const deletion: Actor<undefined> = async (stepping) => {
      await createDeleteByIntent({ store: withoutVotes(stepping), embedder, clock }, generousLimits)(
        aDeletion({ collectionId, requestedAt: 200 }),
        {},
      );
    };
    const actors = { first: attempt('1'), second: attempt('2'), deletion };
    const ending = await interleave<ReplaceResult | undefined>(store, actors, { crash, choose });
    // Unfinished jobs are redelivered; finished ones are not.
    if (!hasEnded(ending)) await attempt('3')(store);
    return { ...ending, crash, rows: await store.rowsOfJobs(collectionId, ['job']) };
  }

  describe('two attempts at a job and a deletion', () => {
    const orders = interleavings === 'all' ? 'every order' : 'many orders';
    it(
      `leave one whole attempt or nothing, in ${orders}, including crashes`,
      async () => {
        const bad: Ending[] = [];
        let tried = 0;
        const judge = async (endings: AsyncGenerator<Ending>) => {
          for await (const ending of endings) {
            tried++;
            if (!endsWell(ending)) bad.push(ending);
          }
        };
        await Promise.all(interleavings === 'all' ? everyEnding().map(judge) : [judge(someEndings(interleavings))]);
        expect(bad.slice(0, 3)).toEqual([]);
        expect(tried).toBeGreaterThanOrEqual(interleavings === 'all' ? 10_000 : interleavings);
      },
      10 * 60_000,
    );

    it('fail this test if an attempt does not check after writing', async () => {
      const careless: Actor<ReplaceResult> = (store) =>
        replaceOn({ ...withoutVotes(store), rowsOfJobs: async () => [], markers: async () => [] })(
          aReplacement({ collectionId: aCollection('careless'), attempt: '1' }),
          {},
        );
      const { store } = opened;
      await store.createCollection(aCollection('careless'));
      const careful: Actor<ReplaceResult> = (stepping) =>
        replaceOn(withoutVotes(stepping))(aReplacement({ collectionId: aCollection('careless'), attempt: '2' }), {});
      const ending = await interleave(store, { careful, careless }, { crash: undefined, choose: () => 0 });
      const rows = await store.rowsOfJobs(aCollection('careless'), ['job']);
      expect(endsWell({ ...ending, crash: undefined, rows })).toBe(false);
    });
  });

  /** Parts that run concurrently, each in its own collections. */
  function everyEnding(): AsyncGenerator<Ending>[] {
    return crashes.flatMap((crash) =>
      [0, 1, 2].map((first) => allInterleavings(first, (choose) => run(crash, choose))),
    );
  }

  async function* someEndings(count: number): AsyncGenerator<Ending> {
    const random = randomNumbers(2026);
    for (let i = 0; i < count; i++) {
      const crash = crashes[Math.floor(random() * crashes.length)];
      yield run(crash, (possible) => Math.floor(random() * possible));
    }
  }
}

/** Nobody votes here, so looking for votes does not count as a step. */
function withoutVotes(store: VectorStore): VectorStore {
  return { ...store, votesOn: async () => [] };
}

function replaceOn(store: VectorStore) {
  return createReplace({ store, embedder, clock }, generousLimits);
}

function hasEnded({ results }: Interleaving<ReplaceResult | undefined>): boolean {
  return [...results.values()].some((result) => result && result.outcome !== 'superseded');
}

/**
 * A completed deletion leaves nothing; otherwise one whole attempt is left, or nothing if the deletion began. One
 * exception, which needs two faults: an attempt that crashed between writing and checking, of a job that another
 * attempt finished, is not redelivered, and its rows stay.
 */
function endsWell(ending: Ending): boolean {
  const { results, steps, crash, rows } = ending;
  const forgotten = crash !== undefined && crash.actor !== 'deletion' && crash.afterSteps > 0 && hasEnded(ending);
  const attempts = new Map<string, number>();
  for (const { attempt } of rows) attempts.set(attempt, (attempts.get(attempt) ?? 0) + 1);
  if (forgotten) attempts.delete(crash.actor === 'first' ? '1' : '2');
  if ([...attempts.values()].some((count) => count !== 3)) return false;
  if (results.has('deletion')) return attempts.size === 0;
  const deletionBegan = (steps.get('deletion') ?? 0) > 0;
  return attempts.size === 1 || ((deletionBegan || forgotten) && attempts.size === 0);
}

const voteCrashes: (Crash | undefined)[] = [
  undefined,
  ...[0, 1, 2].map((afterSteps) => ({ actor: 'vote', afterSteps })),
];

interface VoteEnding extends Interleaving<ReplaceResult | undefined> {
  crash: Crash | undefined;
  /** Remaining rows, by type. */
  left: string[];
}

/** A vote on an insight and the deletion of that insight, in some or all orders; the voter may crash after any step. */
export function describeVoteInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function run(
    crash: Crash | undefined,
    choose: (possible: number, step: number) => number,
    voterSees: (store: VectorStore) => VectorStore = (store) => store,
  ): Promise<VoteEnding> {
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
      await createDeleteByIntent({ store: on, embedder, clock }, generousLimits)(
        aDeletion({ collectionId, requestedAt: 200 }),
        {},
      );
    };
    const ending = await interleave<ReplaceResult | undefined>(
      store,
      { vote: voting('1'), deletion },
      { crash, choose },
    );
    if (!ending.results.has('vote')) await voting('2')(store);
    const rows = await store.page(collectionId, { limit: 100 });
    return { ...ending, crash, left: rows.map(({ jobId, type }) => `${jobId} ${type}`) };
  }

  /** Parts that run concurrently, each in its own collections. */
  function endings(voterSees?: (store: VectorStore) => VectorStore): AsyncGenerator<VoteEnding>[] {
    return voteCrashes.flatMap((crash) =>
      [0, 1].map((first) => allInterleavings(first, (choose) => run(crash, choose, voterSees))),
    );
  }

  async function* someEndings(count: number): AsyncGenerator<VoteEnding> {
    const random = randomNumbers(2026);
    for (let i = 0; i < count; i++) {
      const crash = voteCrashes[i % voteCrashes.length];
      yield run(crash, (possible) => Math.floor(random() * possible));
    }
  }

  describe('a vote and the deletion of its insight', () => {
    it(
      'leave neither, in many orders',
      async () => {
        const bad: VoteEnding[] = [];
        let tried = 0;
        const judge = async (some: AsyncGenerator<VoteEnding>) => {
          for await (const ending of some) {
            tried++;
            if (ending.left.join() !== 'voter run') bad.push(ending);
          }
        };
        await Promise.all(interleavings === 'all' ? endings().map(judge) : [judge(someEndings(interleavings))]);
        expect(bad.slice(0, 3)).toEqual([]);
        expect(tried).toBeGreaterThanOrEqual(interleavings === 'all' ? 50 : interleavings);
      },
      10 * 60_000,
    );

    it(
      'fail this test if the vote does not check for its insight',
      async () => {
        const there = { type: 'insight' as const, jobId: 'shown', ordinal: 1, name: '', body: '{}' };
        const careless = (store: VectorStore): VectorStore => ({
          ...store,
          rowsOfJobs: async (collectionId, jobIds) => {
            const rows = await store.rowsOfJobs(collectionId, jobIds);
            return jobIds.includes('shown') ? [{ ...rows[0], ...there } as (typeof rows)[number]] : rows;
          },
        });
        expect(await isFoundOut(endings(careless))).toBe(true);
      },
      10 * 60_000,
    );
  });
}

/** True if some order leaves an orphaned vote; stops at the first. */
async function isFoundOut(parts: AsyncGenerator<VoteEnding>[]): Promise<boolean> {
  for (const part of parts) {
    for await (const { left } of part) if (left.includes('voter vote')) return true;
  }
  return false;
}
