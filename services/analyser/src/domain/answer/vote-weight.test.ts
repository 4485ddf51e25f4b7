import type { SearchHit } from '@whetstone/contracts';
import { createEnhancementIds } from '@whetstone/identity';
import { Registry } from '@whetstone/platform';
import { randomNumbers } from '@whetstone/platform/test-kit';

import { testRoots } from '../../test-kit/uploads.js';
import { createEnhanceTask, defaultEnhanceConfig } from './enhance-task.js';
import { aHit } from './test-kit/hits.js';
import { weighVotes } from './vote-weight.js';

const lesson = (helped: number, harmed: number) => ({ name: `${helped}+${harmed}`, votes: { helped, harmed } });
const none = lesson(0, 0);

describe('votes', () => {
  it('shift nothing if there are none', () => {
    expect(weighVotes([none, none]).map(({ voteShift }) => voteShift)).toEqual([0, 0]);
  });

  it('raise what helped and lower what harmed, in proportion and within a bound', () => {
    const shiftOf = (helped: number, harmed: number) =>
      weighVotes([lesson(helped, harmed)])[0]?.voteShift ?? Number.NaN;

    expect(shiftOf(1, 0)).toBeGreaterThan(0);
    expect(shiftOf(4, 0)).toBeGreaterThan(shiftOf(1, 0));
    expect(shiftOf(0, 1)).toBeLessThan(0);
    expect(shiftOf(0, 4)).toBeLessThan(shiftOf(0, 1));
    expect(shiftOf(1_000_000, 0)).toBeLessThanOrEqual(0.15);
    expect(weighVotes([lesson(0, 5), lesson(1_000, 0), lesson(0, 1_000)])[1]?.voteShift).toBe(0.15);
    expect(shiftOf(5, 5)).toBeCloseTo(0);
  });

  it('drop a lesson only after six bad outcomes, and later if it has helped before', () => {
    const isTold = (helped: number, harmed: number) => weighVotes([lesson(helped, harmed)]).length === 1;
    const toSilence = (helped: number) => {
      let harmed = 0;
      while (isTold(helped, harmed)) harmed++;
      return harmed;
    };

    expect([0, 2, 5, 10].map(toSilence)).toEqual([6, 11, 18, 29]);
  });

  it('do not count against a lesson where all runs usually fail', () => {
    const hard = [lesson(6, 24), lesson(6, 24), lesson(7, 23)];

    expect(weighVotes(hard)).toHaveLength(3);
    expect(weighVotes([lesson(6, 24)])).toHaveLength(0);
    for (const { voteShift } of weighVotes(hard)) expect(Math.abs(voteShift)).toBeLessThan(0.02);
  });

  it('drop a lesson that never helps, even if no other one does', () => {
    expect(weighVotes([lesson(0, 10), lesson(0, 10), lesson(0, 10)])).toEqual([]);
  });
});

/** Success rates of runs that follow such a lesson; each run follows one of those shown. */
const kinds = { harmful: 0.2, plain: 0.5, helpful: 0.8 };
type Kind = keyof typeof kinds;
const lessons: Kind[] = ['harmful', 'plain', 'plain', 'plain', 'plain', 'helpful'];
const perTask = 2;
const simulations = 20;
const tasksEach = 400;

const stored = lessons.map((_, n) =>
  aHit({
    id: `c/job-${n}/1/1`,
    task: 'restart the service',
    example: `way${n} --restart`,
    similarity: 0.9 - 0.01 * n,
    insight: { effects: ['changes'] },
  }),
);

/** Each task finds half of the lessons, with the harmful one nearest and the helpful one farthest. */
function simulate(seed: number, tasks: number) {
  const random = randomNumbers(seed);
  const votes = lessons.map(() => ({ helped: 0, harmed: 0 }));
  let found: number[] = [];
  const enhance = createEnhanceTask({
    knowledge: { search: async () => ({ hits: found.map(hitOf), verdicts: [], settings: {} }) },
    enhancementIds: createEnhancementIds(testRoots),
    clock: { now: () => 1 },
    logger: { warn: () => {} },
    registry: new Registry(),
    config: defaultEnhanceConfig,
  });
  const hitOf = (n: number): SearchHit => ({
    ...(stored[n] as SearchHit),
    votes: votes[n] as { helped: number; harmed: number },
  });
  const votesOn = (kind: Kind) => {
    const { helped, harmed } = votes[lessons.indexOf(kind)] ?? { helped: 0, harmed: 0 };
    return helped + harmed;
  };

  async function run() {
    let helpfulLeadsAfter = Number.POSITIVE_INFINITY;
    const last = { harmful: 0, helpful: 0, helpfulFirst: 0 };
    const toldLast = new Set<number>();
    for (let task = 0; task < tasks; task++) {
      found = drawn(random);
      const { recommendations } = await enhance(
        { collectionId: 'c', inputText: 'restart the service', context: {} },
        {},
      );
      const told = recommendations.map(({ id }) => Number(/job-(\d+)/.exec(id)?.[1]));
      const [first] = told.map((n) => lessons[n]);
      const helps = found.some((n) => lessons[n] === 'helpful');
      const harms = told.some((n) => lessons[n] === 'harmful');
      if (first === 'helpful') helpfulLeadsAfter = Math.min(helpfulLeadsAfter, votesOn('helpful'));
      const followed = told[Math.floor(random() * told.length)] ?? 0;
      const vote = votes[followed];
      if (vote) vote[random() < kinds[lessons[followed] ?? 'plain'] ? 'helped' : 'harmed']++;
      if (task < tasks / 2) continue;
      for (const n of told) toldLast.add(n);
      last.harmful += harms ? 1 : 0;
      last.helpful += helps ? 1 : 0;
      last.helpfulFirst += first === 'helpful' ? 1 : 0;
    }
    const plainTold = [...toldLast].filter((n) => lessons[n] === 'plain').length;
    return { harmfulVotes: votesOn('harmful'), helpfulLeadsAfter, plainTold, last };
  }
  return run();
}

function drawn(random: () => number): number[] {
  const left = lessons.map((_, n) => n);
  return Array.from({ length: perTask }, () => left.splice(Math.floor(random() * left.length), 1)[0] as number);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

describe('a simulation of outcomes', () => {
  it('drops a harmful lesson, ranks a helpful one first and keeps neutral ones', async () => {
    const runs = await Promise.all(Array.from({ length: simulations }, (_, seed) => simulate(seed, tasksEach)));
    const silencedAfter = runs.map(({ harmfulVotes }) => harmfulVotes);
    const leadsAfter = runs.map(({ helpfulLeadsAfter }) => helpfulLeadsAfter);
    const ends = runs.map(({ last }) => last);
    const sumOf = (name: keyof (typeof ends)[number]) => ends.reduce((sum, end) => sum + end[name], 0);

    // Success rates: harmful 20 %, helpful 80 %, others 50 %.
    expect(median(silencedAfter)).toBeLessThanOrEqual(35);
    expect(median(silencedAfter)).toBeGreaterThanOrEqual(6);
    expect(sumOf('harmful')).toBeLessThan((0.05 * simulations * tasksEach) / 2);
    expect(median(leadsAfter)).toBeLessThanOrEqual(15);
    expect(sumOf('helpfulFirst') / sumOf('helpful')).toBeGreaterThan(0.85);
    const stillTold = runs.reduce((sum, { plainTold }) => sum + plainTold, 0);
    expect(stillTold).toBeGreaterThan(0.95 * simulations * 4);
  });
});
