import type { Answer, Answerer, Question, Recommendation } from '../answerer.js';
import { decisiveAction, type Interaction } from '../interaction.js';

/** Scores the attempts of a collection for a question; higher is nearer, and what has no number is not an answer at all. */
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
