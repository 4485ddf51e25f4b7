import { type CitedEnhancement, type ReplaceRequest, shortDigest } from '@whetstone/contracts';
import { randomNumbers } from '@whetstone/platform/test-kit';

import { type ConsolidateOptions, consolidateNames } from '../domain/consolidate.js';
import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { groupWordings } from '../domain/fold-wordings.js';
import { forgetAged, forgetRuns } from '../domain/forget.js';
import { nameOfInsight } from '../domain/insight-names.js';
import type { Row, VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { readInsightBody, readRunBody } from '../domain/row-bodies.js';
import { scanCollection } from '../domain/scan-collection.js';
import { createGetRuns, createSearch } from '../domain/search.js';
import { type StoredTally, tallyOf } from '../domain/tally.js';
import { type Actor, type Crash, interleave } from './interleave.js';
import {
  aCollection,
  aDeletion,
  anInsight,
  aReplacement,
  type ConformanceOptions,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

const embedder = createDirectionEmbedder();
const insight = anInsight({ actions: ['find -delete'], example: 'find . -delete' });
const shape = { outcome: 'success' as const, judged: false, changes: [] };
const name = nameOfInsight({ insight, run: shape, intent: 'north' });
const always: ConsolidateOptions = { settledBefore: Number.POSITIVE_INFINITY, checkLease: () => undefined };

/** The upload of a run that teaches the lesson. */
function upload(
  collectionId: string,
  jobId: string,
  given: Partial<ReplaceRequest> & { acceptedAt?: number } = {},
): ReplaceRequest {
  return aReplacement({ collectionId, jobId, insights: [insight], ...given });
}

function citing(tokenDigest: string): CitedEnhancement {
  return { tokenDigest, arm: 'recommended', insightIds: [name] };
}

function store(on: VectorStore, request: ReplaceRequest) {
  return createReplace({ store: on, embedder, clock }, generousLimits)(request, {});
}

function consolidate(on: VectorStore, collectionId: string, options = always) {
  return consolidateNames({ store: on, clock }, collectionId, [name], options);
}

async function insightsIn(on: VectorStore, collectionId: string): Promise<Row[]> {
  return (await on.page(collectionId, { limit: 1_000 })).filter(({ type }) => type === 'insight');
}

async function talliesIn(on: VectorStore, collectionId: string): Promise<StoredTally[]> {
  return (await insightsIn(on, collectionId)).map(({ body }) => tallyOf(readInsightBody(body)));
}

export function describeConsolidating(opened: OpenStore): void {
  const search = (collectionId: string) =>
    createSearch({ store: opened.store, embedder }, { agentTypeBoost: 1 })(
      { collectionId, text: 'north', limit: 10 },
      {},
    );

  describe('consolidation', () => {
    it('leaves one insight that stands for all runs, found like them', async () => {
      const collectionId = await opened.create('merged', 'consolidating');
      for (const [at, jobId] of ['one', 'two', 'three'].entries()) {
        await store(opened.store, upload(collectionId, jobId, { acceptedAt: 100 + at }));
      }

      await consolidate(opened.store, collectionId);

      const { hits } = await search(collectionId);
      expect(hits).toMatchObject([
        {
          name,
          insight,
          intent: 'north',
          origin: { jobId: 'three' },
          tally: { runs: 3, firstSeen: 100, lastSeen: 102 },
        },
      ]);
      expect(hits[0]?.tally?.jobIds).toEqual(['one', 'two', 'three']);
      expect(await opened.store.page(collectionId, { limit: 100 })).toHaveLength(2);
    });

    it('keeps the trail of the latest run, under the name', async () => {
      const collectionId = await opened.create('trail', 'consolidating');
      await store(opened.store, upload(collectionId, 'one'));
      const steps = [{ turn: 1, action: 'find . -delete', outcome: 'ok' as const }];
      const run = { ...shape, uses: [], changes: [], steps };
      await store(opened.store, upload(collectionId, 'two', { acceptedAt: 101, run }));

      await consolidate(opened.store, collectionId);

      const { runs } = await createGetRuns(opened)({ collectionId, jobIds: ['one', 'two', name] }, {});
      expect(runs).toEqual([{ jobId: name, run }]);
    });

    it('counts equal bodies once, also when they come later', async () => {
      const collectionId = await opened.create('equal', 'consolidating');
      const { origin } = upload(collectionId, 'one');
      for (const jobId of ['one', 'two', 'three']) {
        await store(opened.store, upload(collectionId, jobId, { origin: { ...origin, jobId } }));
        await consolidate(opened.store, collectionId);
      }
      await store(opened.store, upload(collectionId, 'other'));
      await consolidate(opened.store, collectionId);

      expect(await talliesIn(opened.store, collectionId)).toMatchObject([{ runs: 2 }]);
    });

    it('counts the runs of low-trust keys, and knows the keys', async () => {
      const collectionId = await opened.create('trust', 'consolidating');
      const of = (jobId: string, keyId: string, trust?: 'low') => {
        const request = upload(collectionId, jobId);
        return { ...request, origin: { ...request.origin, keyId, ...(trust && { trust }) } };
      };
      await store(opened.store, of('one', 'a'));
      await store(opened.store, of('two', 'b', 'low'));
      await store(opened.store, of('three', 'b', 'low'));
      await consolidate(opened.store, collectionId);

      const [tally] = await talliesIn(opened.store, collectionId);
      expect(tally).toMatchObject({ runs: 3, lowTrustRuns: 2 });
      expect(tally?.keys).toHaveLength(2);
    });

    it('leaves alone what has not settled, other lessons, other tasks and other collections', async () => {
      const collectionId = await opened.create('alone', 'consolidating');
      const elsewhere = await opened.create('elsewhere', 'consolidating');
      for (const jobId of ['one', 'two']) await store(opened.store, upload(collectionId, jobId));
      await store(opened.store, upload(elsewhere, 'one'));
      await store(opened.store, upload(collectionId, 'three', { intent: 'east' }));
      await store(
        opened.store,
        upload(collectionId, 'four', { insights: [{ ...insight, example: 'find -delete .' }] }),
      );
      const before = await opened.store.page(collectionId, { limit: 100 });

      await consolidate(opened.store, collectionId, { ...always, settledBefore: 0 });
      expect(await opened.store.page(collectionId, { limit: 100 })).toEqual(before);

      await consolidate(opened.store, collectionId);
      expect(await insightsIn(opened.store, collectionId)).toHaveLength(3);
      expect(await insightsIn(opened.store, elsewhere)).toHaveLength(1);
    });

    it('counts votes in, and later ones on top, each answer once', async () => {
      const collectionId = await opened.create('votes', 'consolidating');
      for (const jobId of ['one', 'two']) await store(opened.store, upload(collectionId, jobId));
      await store(opened.store, upload(collectionId, 'good', { cited: citing('a'), intent: 'east', insights: [] }));
      const bad = { ...shape, outcome: 'failure' as const, uses: [], changes: [], steps: [] };
      await store(
        opened.store,
        upload(collectionId, 'bad', { cited: citing('b'), intent: 'east', insights: [], run: bad }),
      );
      expect((await search(collectionId)).hits[0]?.votes).toEqual({ helped: 1, harmed: 1 });

      await consolidate(opened.store, collectionId);
      expect((await search(collectionId)).hits[0]?.votes).toEqual({ helped: 1, harmed: 1 });
      const rows = await opened.store.page(collectionId, { limit: 100 });
      expect(rows.filter(({ type }) => type === 'vote')).toEqual([]);

      // The vote is cast again an hour later, by a redelivery and by another upload that cites the same answer.
      const later = { attempt: '3700000000', intent: 'east', insights: [] };
      await store(opened.store, upload(collectionId, 'good', { ...later, cited: citing('a') }));
      await store(opened.store, upload(collectionId, 'again', { ...later, cited: citing('a') }));
      await store(opened.store, upload(collectionId, 'new', { ...later, cited: citing('c') }));
      expect((await search(collectionId)).hits[0]?.votes).toEqual({ helped: 2, harmed: 1 });

      await store(opened.store, upload(collectionId, 'three'));
      await consolidate(opened.store, collectionId);
      const { hits } = await search(collectionId);
      expect(hits).toMatchObject([{ votes: { helped: 2, harmed: 1 }, tally: { runs: 3 } }]);
    });

    it('keeps what dropped runs report on answers, each answer once', async () => {
      const collectionId = await opened.create('answers', 'consolidating');
      const report = (jobId: string, tokenDigest: string, outcome: 'success' | 'failure') => {
        const run = { ...shape, outcome, uses: [], changes: [], steps: [] };
        const cited: CitedEnhancement = { tokenDigest, arm: 'holdout', insightIds: [] };
        return store(opened.store, upload(collectionId, jobId, { insights: [], cited, run }));
      };
      await report('one', 'a', 'success');
      await report('two', 'b', 'failure');
      await report('three', 'a', 'failure');
      for (const jobs of [['one', 'two'], ['three']]) {
        await forgetRuns({ store: opened.store, clock }, collectionId, jobs, always);
      }

      const rows = await opened.store.page(collectionId, { limit: 100 });
      expect(rows.map(({ body }) => readRunBody(body).answers)).toMatchObject([
        {
          arms: { holdout: { told: 2, succeeded: 1 }, recommended: { told: 0 } },
          tokens: shortDigest('a') + shortDigest('b'),
        },
      ]);
    });

    it('is deleted by its intent, with everything behind it, and does not return', async () => {
      const collectionId = await opened.create('deleted', 'consolidating');
      for (const jobId of ['one', 'two']) await store(opened.store, upload(collectionId, jobId));
      await consolidate(opened.store, collectionId);
      await createDeleteByIntent({ store: opened.store, embedder, clock }, generousLimits)(
        aDeletion({ collectionId }),
        {},
      );
      expect(await opened.store.page(collectionId, { limit: 100 })).toEqual([]);

      await store(opened.store, upload(collectionId, 'one', { attempt: '2' }));
      await consolidate(opened.store, collectionId);
      expect(await opened.store.page(collectionId, { limit: 100 })).toEqual([]);
    });

    it('keeps the latest and the most unlike of many wordings, and counts the runs of all', async () => {
      const collectionId = await opened.create('wordings', 'consolidating');
      const tasks = ['north', ...Array.from({ length: 8 }, (_, at) => `0.99${at} of north`), '0.9 of north', 'east'];
      for (const [at, intent] of tasks.entries()) {
        await store(opened.store, upload(collectionId, `job${at}`, { intent, acceptedAt: 100 + at }));
      }
      const scan = () =>
        scanCollection(opened.store, collectionId, { agedBefore: 0, signal: new AbortController().signal });
      const { crowded } = await scan();
      expect(crowded).toHaveLength(1);
      await consolidateNames({ store: opened.store, clock }, collectionId, crowded[0] ?? [], always, groupWordings);

      const kept = (await insightsIn(opened.store, collectionId)).map(({ intent }) => intent).sort();
      expect(kept).toEqual(
        ['0.9 of north', '0.990 of north', '0.994 of north', '0.997 of north', 'east', 'north'].sort(),
      );
      const runs = (await talliesIn(opened.store, collectionId)).map((tally) => tally.runs);
      expect(runs.reduce((sum, count) => sum + count)).toBe(tasks.length);
      const rows = await opened.store.page(collectionId, { limit: 100 });
      expect(rows.filter(({ type }) => type === 'run')).toHaveLength(kept.length);
    });

    it('is forgotten when no run has confirmed it for long', async () => {
      const collectionId = await opened.create('aged', 'consolidating');
      for (const jobId of ['one', 'two']) await store(opened.store, upload(collectionId, jobId));
      await store(opened.store, upload(collectionId, 'three', { acceptedAt: 500, intent: 'east' }));
      await consolidate(opened.store, collectionId);
      const agedBefore = 400;
      const { aged } = await scanCollection(opened.store, collectionId, {
        agedBefore,
        signal: new AbortController().signal,
      });
      await forgetAged({ store: opened.store, clock }, collectionId, aged, { ...always, agedBefore });

      expect((await opened.store.page(collectionId, { limit: 100 })).map(({ jobId }) => jobId)).toEqual([
        'three',
        'three',
      ]);
    });
  });
}

interface Ending {
  crash: Crash | undefined;
  deleted: 'no' | 'begun' | 'done';
  tallies: StoredTally[];
  rows: Row[];
}

const steps = { consolidation: 8, upload: 3, redelivery: 4, vote: 4, deletion: 5 };

/** A pass, an upload, a redelivery, a vote and a deletion, in random orders; each may crash after any step. */
export function describeConsolidatingInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function run(
    random: () => number,
    on: (store: VectorStore) => VectorStore = (given) => given,
  ): Promise<Ending> {
    const collectionId = aCollection(`consolidated ${runs++}`, 'interleaved');
    await opened.store.createCollection(collectionId);
    for (const jobId of ['a', 'b', 'c']) await store(opened.store, upload(collectionId, jobId));
    if (random() < 0.5) await consolidate(opened.store, collectionId);
    for (const jobId of ['d', 'e']) await store(opened.store, upload(collectionId, jobId, { acceptedAt: 110 }));
    const voting = (attempt: string) =>
      upload(collectionId, 'voter', { attempt, acceptedAt: 300, cited: citing('t'), intent: 'east', insights: [] });
    const actors: Record<string, Actor<unknown>> = {
      consolidation: (given) => consolidate(on(given), collectionId),
      upload: (given) => store(given, upload(collectionId, 'f', { acceptedAt: 120 })),
      redelivery: (given) => store(given, upload(collectionId, 'd', { attempt: '2', acceptedAt: 110 })),
      vote: (given) => store(given, voting('1')),
      ...(random() < 0.5
        ? {
            deletion: (given) =>
              createDeleteByIntent({ store: given, embedder, clock }, generousLimits)(aDeletion({ collectionId }), {}),
          }
        : {}),
    };
    const [actor, most] = Object.entries(steps)[Math.floor(random() * 5)] as [string, number];
    const crash = random() < 0.7 ? { actor, afterSteps: Math.floor(random() * (most + 1)) } : undefined;
    const ending = await interleave(opened.store, actors, {
      crash,
      choose: (possible) => Math.floor(random() * possible),
    });
    // What crashed is delivered again; passes go on.
    if (!ending.results.has('upload'))
      await store(opened.store, upload(collectionId, 'f', { attempt: '2', acceptedAt: 120 }));
    if (!ending.results.has('redelivery'))
      await store(opened.store, upload(collectionId, 'd', { attempt: '3', acceptedAt: 110 }));
    if (!ending.results.has('vote')) await store(opened.store, voting('2'));
    for (let pass = 0; pass < 2; pass++) await consolidate(on(opened.store), collectionId);
    const began = (ending.steps.get('deletion') ?? 0) > 0 ? 'begun' : 'no';
    return {
      crash,
      deleted: ending.results.has('deletion') ? 'done' : began,
      tallies: await talliesIn(opened.store, collectionId),
      rows: await opened.store.page(collectionId, { limit: 100 }),
    };
  }

  /** Six runs and a vote, nothing twice; nothing at all once it is deleted. */
  function endsWell({ deleted, tallies, rows }: Ending): boolean {
    const votes = rows.filter(({ type }) => type === 'vote');
    if (deleted === 'done') return tallies.length === 0 && votes.length === 0;
    // Of an interrupted deletion any part may be done, and what its marker covers is not merged; no run counts twice.
    if (deleted === 'begun') {
      const digests = tallies.flatMap((tally) => tally.digests.match(/.{8}/g) ?? []);
      return new Set(digests).size === tallies.reduce((sum, tally) => sum + tally.runs, 0);
    }
    const [tally] = tallies;
    const cast = (tally?.votes?.helped ?? 0) + votes.length;
    return tallies.length === 1 && tally?.runs === 6 && cast === 1;
  }

  /** Stops at the first. */
  async function findBadEnding(count: number, on?: (store: VectorStore) => VectorStore): Promise<Ending | undefined> {
    const random = randomNumbers(2026);
    for (let at = 0; at < count; at++) {
      const ending = await run(random, on);
      if (!endsWell(ending)) return ending;
    }
    return undefined;
  }

  describe('consolidation beside uploads, redeliveries, votes, deletions and crashes', () => {
    const tries = interleavings === 'all' ? 1_500 : interleavings;
    it(
      'loses and doubles nothing, and brings nothing back',
      async () => {
        expect(await findBadEnding(tries)).toBeUndefined();
      },
      10 * 60_000,
    );

    // Few orders are not enough to find them.
    if (interleavings !== 'all') return;
    it.each<[string, (store: VectorStore) => VectorStore]>([
      ['does not look for deletions after writing', (given) => ({ ...given, markers: async () => [] })],
      ['deletes before it writes', writingLate],
      ['does not delete its sources', (given) => ({ ...given, deleteRows: async () => undefined })],
    ])(
      'fails this test if it %s',
      async (_, broken) => {
        expect(await findBadEnding(tries, broken)).toBeDefined();
      },
      10 * 60_000,
    );
  });
}

/** Says that it has written, and writes after the next deletion. */
function writingLate(given: VectorStore): VectorStore {
  let late: Row[] = [];
  return {
    ...given,
    upsert: async (_, rows) => {
      late = rows;
    },
    rowsNamed: async (collectionId, names) => [
      ...(await given.rowsNamed(collectionId, names)),
      ...late.filter(({ type }) => type === 'insight'),
    ],
    deleteRows: async (collectionId, ids) => {
      await given.deleteRows(collectionId, ids);
      const rows = late.filter(({ id }) => !ids.includes(id));
      late = [];
      if (rows.length > 0) await given.upsert(collectionId, rows);
    },
  };
}
