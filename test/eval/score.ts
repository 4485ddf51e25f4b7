import { inParallel } from '../support/eventually.js';
import { containsAction, plainSpaces } from './actions/contains-action.js';
import { usesSimilarTools } from './actions/utilities-of.js';
import type { Answer, Answerer } from './answerer.js';
import { type Asking, askingsOf, type Domain } from './domain.js';
import { decisiveAction, type Interaction, questionOf } from './interaction.js';
import { type Asked, type Measure, type Metric, meanOf } from './measure.js';
import { paraphrase } from './paraphrase.js';

export interface ScoreOptions {
  /** At most so many different texts are asked per metric and domain; which ones is chance by the seed. */
  questions: number;
  seed: number;
  say(line: string): void;
}

export interface Scores {
  measures: Measure[];
  asked: Asked[];
}

type Judge = (answer: Answer, interaction: Interaction) => number;

/** Lets an answerer learn each domain, whole and in folds, and asks it everything that the labels can judge. */
export async function scoreAnswerer(
  answerer: Answerer,
  domains: readonly Domain[],
  options: ScoreOptions,
): Promise<Scores> {
  const measures: Measure[] = [];
  const everything: Asked[] = [];
  const { questions, seed, say } = options;

  async function ask(metric: Metric, collection: string, askings: readonly Asking[], judge: Judge): Promise<Asked[]> {
    return inParallel(askings, 2, async ({ interaction, times }) => {
      const plain = questionOf(interaction);
      const question = metric === 'paraphrased' ? { ...plain, text: paraphrase(plain.text) } : plain;
      const answer = await answerer.ask(collection, question);
      return { metric, collection, question, interaction, answer, times, score: judge(answer, interaction) };
    });
  }

  function note(metric: Metric, data: string, asked: readonly Asked[]): void {
    if (asked.length === 0) return;
    measures.push({ metric, data, ...meanOf(asked) });
    everything.push(...asked);
  }

  for (const domain of domains) {
    say(`${answerer.name} learns ${domain.name}`);
    await answerer.learn(domain.name, domain.interactions);
    const failed = domain.interactions.filter(
      ({ labels, upload }) => upload.success === false && domain.winnersOf(labels.task).length > 0,
    );
    const askings = askingsOf(failed, questions, seed);
    note('rescue', domain.name, await ask('rescue', domain.name, askings, rescues(domain)));
    note('paraphrased', domain.name, await ask('paraphrased', domain.name, askings, rescues(domain)));
    note('foreign', domain.name, await ask('foreign', domain.name, askings, foreignWinners(domain)));
    const held = { tools: [] as Asked[], family: [] as Asked[], answered: [] as Asked[] };
    for (const { collection, stored, heldOut } of domain.folds) {
      say(`${answerer.name} learns ${collection.replaceAll('-', ' ')} of ${domain.folds.length}`);
      await answerer.learn(collection, stored);
      const share = Math.ceil(questions / domain.folds.length);
      const asking = askingsOf(heldOut, share, seed);
      const withWinner = askingsOf(
        heldOut.filter(({ labels }) => domain.winnersOf(labels.task).length > 0),
        share,
        seed,
      );
      const withFamily = hasFamilies(domain) ? asking : [];
      held.tools.push(...(await ask('tools', collection, once(withWinner), usesToolsOfWinner(domain))));
      held.family.push(...(await ask('family', collection, withFamily, sharesFamily)));
      held.answered.push(...(await ask('answered', collection, once(asking), isAnswered)));
    }
    note('tools', domain.name, held.tools);
    // Without any recommendation there is nothing to take a share of; how many questions that are is another metric.
    note(
      'family',
      domain.name,
      held.family.filter(({ answer }) => answer.recommendations.length > 0),
    );
    note('answered', domain.name, held.answered);
  }
  for (const domain of domains) {
    for (const other of domains) {
      if (other === domain) continue;
      const asking = once(askingsOf(other.interactions, questions, seed));
      note('falseAlarm', `${domain.name} ← ${other.name}`, await ask('falseAlarm', domain.name, asking, isAnswered));
    }
  }
  return { measures, asked: everything };
}

/** Where a winner is labelled, families are something else than the actions that a task needs. */
function hasFamilies({ interactions }: Domain): boolean {
  return interactions.every(({ labels }) => labels.family !== undefined && labels.winner === undefined);
}

function once(askings: readonly Asking[]): Asking[] {
  return askings.map(({ interaction }) => ({ interaction, times: 1 }));
}

function rescues(domain: Domain): Judge {
  return ({ recommendations }, { labels }) => {
    const winners = domain.winnersOf(labels.task);
    const top = recommendations.slice(0, 3);
    return top.some(({ text }) => winners.some((winner) => containsAction(text, winner))) ? 1 : 0;
  };
}

function usesToolsOfWinner(domain: Domain): Judge {
  return ({ recommendations }, { labels }) => {
    const winners = domain.winnersOf(labels.task);
    const examples = recommendations.slice(0, 3).flatMap(({ example }) => example ?? []);
    return examples.some((example) => winners.some((winner) => usesSimilarTools(example, winner))) ? 1 : 0;
  };
}

function foreignWinners(domain: Domain): Judge {
  const all = [...new Set(domain.interactions.flatMap(({ labels }) => domain.winnersOf(labels.task)))];
  // A single word, such as `pwd`, stands in many a sentence.
  const telling = all.filter((winner) => winner.includes(' ') || winner.includes('('));
  return ({ added }, { labels }) => {
    const own = domain.winnersOf(labels.task);
    const text = plainSpaces(added);
    return telling.filter((winner) => !own.some((mine) => mine.includes(winner)) && containsAction(text, winner))
      .length;
  };
}

/** A recommendation made from several attempts counts by the share of them that are of the family. */
const sharesFamily: Judge = ({ recommendations }, { labels }) => {
  const shares = recommendations.slice(0, 5).map(({ sources }) => {
    const same = sources.filter((source) => source.labels.family === labels.family).length;
    return sources.length === 0 ? 0 : same / sources.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
};

const isAnswered: Judge = ({ recommendations }) => (recommendations.length > 0 ? 1 : 0);

/** The best that a held-out task could get: some stored success uses the tools of its winner. */
export function toolsCeiling(domain: Domain): number {
  const tasks = domain.folds.flatMap(({ stored, heldOut }) => {
    const actions = new Set(stored.filter(({ upload }) => upload.success).flatMap((run) => decisiveAction(run) ?? []));
    const winners = new Set(heldOut.map(({ labels }) => labels.task));
    return [...winners].flatMap((task) => {
      const own = domain.winnersOf(task);
      if (own.length === 0) return [];
      return [[...actions].some((action) => own.some((winner) => usesSimilarTools(action, winner))) ? 1 : 0];
    });
  });
  return tasks.reduce((sum: number, reached) => sum + reached, 0) / Math.max(1, tasks.length);
}
