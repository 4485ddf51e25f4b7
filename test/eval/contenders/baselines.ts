import type { Embedder } from '@whetstone/indexer';
import { plainSpaces, utilitiesOf } from '../actions.js';
import type { Answer, Answerer, Question, Recommendation } from '../answerer.js';
import { shuffled } from '../chance.js';
import { decisiveAction, type Interaction } from '../interaction.js';

const k1 = 1.2;
const b = 0.75;

/** BM25: rare words count more, repeated words and long texts less. */
export function createBm25(texts: readonly string[]): (query: string) => number[] {
  const documents = texts.map((text) => countsOf(wordsOf(text)));
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  const holders = new Map<string, number>();
  for (const counts of documents) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  return (query) => {
    const words = new Set(wordsOf(query));
    return documents.map((counts, index) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const held = holders.get(word) as number;
        const rarity = Math.log(1 + (texts.length - held + 0.5) / (held + 0.5));
        score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (lengths[index] as number)) / meanLength));
      }
      return score;
    });
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const example = /(?:^|\s)Example:[^\S\n]*(?:(\S.*)|\n((?:[^\S\n]+\S.*(?:\n|$))+))/;

/** The action a recommendation shows: the rest of the line after `Example:`, or the indented lines below it. */
export function exampleIn(text: string): string | undefined {
  const [, inline, below] = example.exec(text) ?? [];
  return (inline ?? below)?.trim();
}

/** Scores the attempts of a collection for a question: higher is nearer; attempts without a score are no answer. */
export type Ranking = (question: Question) => Promise<(number | undefined)[]>;

export interface NearestOptions {
  name: string;
  /** Called once per collection with the attempts that succeeded. */
  rank(successes: readonly Interaction[]): Promise<Ranking>;
}

const most = 5;

/** The baseline: the last action, verbatim, of the nearest attempts that succeeded. */
export function createNearestSuccesses({ name, rank }: NearestOptions): Answerer {
  const collections = new Map<string, { successes: readonly Interaction[]; ranking: Ranking }>();
  return {
    name,
    knows: (collection) => collections.has(collection),
    async learn(collection, interactions) {
      const successes = interactions.filter((interaction) => interaction.upload.success && decisiveAction(interaction));
      collections.set(collection, { successes, ranking: await rank(successes) });
    },
    async ask(collection, question) {
      const { successes, ranking } = collections.get(collection) as NonNullable<ReturnType<typeof collections.get>>;
      const scores = await ranking(question);
      const nearest = [...successes.keys()]
        .filter((index) => scores[index] !== undefined)
        .sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other)
        .slice(0, most);
      return answerOf(nearest.map((index) => verbatim(successes[index] as Interaction)));
    },
  };
}

function verbatim(interaction: Interaction): Recommendation {
  const action = decisiveAction(interaction) as string;
  return { text: action, example: action, sources: [interaction] };
}

export function answerOf(recommendations: readonly Recommendation[]): Answer {
  return { recommendations, added: recommendations.map(({ text }) => text).join('\n') };
}

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

/** Fused by rank: scores of different kinds cannot be added. */
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
