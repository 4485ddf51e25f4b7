import type { Embedder } from '@whetstone/indexer';

import { plainSpaces } from '../actions/contains-action.js';
import { utilitiesOf } from '../actions/utilities-of.js';
import type { Answerer } from '../answerer.js';
import { shuffled } from '../chance.js';
import { decisiveAction, type Interaction } from '../interaction.js';
import { createBm25 } from './bm25.js';
import { createNearestSuccesses, type Ranking } from './nearest-successes.js';

/** The usual constant of reciprocal rank fusion. */
const fusionConstant = 60;

const cosineFloor = 0.5;

export function createBaselines(embedder: Pick<Embedder, 'embed'>, seed: number): Answerer[] {
  const byMeaning = (successes: readonly Interaction[]) => rankByMeaning(embedder, successes);
  return [
    createNearestSuccesses({ name: 'random', rank: async (successes) => rankByChance(successes, seed) }),
    createNearestSuccesses({
      name: 'ignoring',
      rank: async (successes) => rankByFrequency(successes),
    }),
    createNearestSuccesses({ name: 'BM25', rank: async (successes) => rankByWords(successes) }),
    createNearestSuccesses({ name: 'MiniLM', rank: byMeaning }),
    createNearestSuccesses({
      name: 'fused',
      async rank(successes) {
        const rankings = [rankByWords(successes), await byMeaning(successes)];
        return async (question) => fuse(await Promise.all(rankings.map((ranking) => ranking(question))));
      },
    }),
    createNearestSuccesses({
      name: `MiniLM ≥ ${cosineFloor}`,
      async rank(successes) {
        const ranking = await byMeaning(successes);
        return async (question) =>
          (await ranking(question)).map((score) => (score !== undefined && score >= cosineFloor ? score : undefined));
      },
    }),
  ];
}

function rankByWords(successes: readonly Interaction[]): Ranking {
  const score = createBm25(successes.map(({ upload }) => upload.query));
  return async ({ text }) => score(text);
}

async function rankByMeaning(embedder: Pick<Embedder, 'embed'>, successes: readonly Interaction[]): Promise<Ranking> {
  const vectors: Float32Array[] = [];
  for (const { upload } of successes) vectors.push(await embedder.embed(upload.query, 'background'));
  return async ({ text }) => {
    const asked = await embedder.embed(text, 'interactive');
    return vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * (asked[index] as number), 0));
  };
}

function rankByChance(successes: readonly Interaction[], seed: number): Ranking {
  let asked = 0;
  return async () => {
    const order = shuffled([...successes.keys()], seed + asked++);
    const scores: number[] = [];
    for (const [place, index] of order.entries()) scores[index] = -place;
    return scores;
  };
}

/** One action for each of the most frequent sets of tools, whatever the question. */
function rankByFrequency(successes: readonly Interaction[]): Ranking {
  const groups = new Map<string, Map<string, number[]>>();
  for (const [index, success] of successes.entries()) {
    const action = plainSpaces(decisiveAction(success) as string);
    const tools = [...utilitiesOf(action)].sort().join(' ');
    const group = groups.get(tools) ?? new Map<string, number[]>();
    groups.set(tools, group.set(action, [...(group.get(action) ?? []), index]));
  }
  const scores: number[] = successes.map(() => 0);
  for (const group of groups.values()) {
    const size = [...group.values()].flat().length;
    const [typical] = [...group.values()].sort((one, other) => other.length - one.length);
    scores[(typical as number[])[0] as number] = size;
  }
  return async () => scores;
}

/** By the places in the lists: scores of different kinds cannot be added. */
function fuse(lists: (number | undefined)[][]): number[] {
  const fused: number[] = (lists[0] ?? []).map(() => 0);
  for (const scores of lists) {
    const order = [...scores.keys()].sort(
      (one, other) => (scores[other] as number) - (scores[one] as number) || one - other,
    );
    for (const [place, index] of order.entries())
      fused[index] = (fused[index] as number) + 1 / (fusionConstant + place + 1);
  }
  return fused;
}
