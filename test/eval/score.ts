import { inParallel } from '../support/eventually.js';
import type { Answerer } from './answerer.js';
import { type Asking, askingsOf, type Domain } from './domain.js';
import { questionOf } from './interaction.js';
import { foreignWinners, isAnswered, type Judge, rescues, sharesFamily, usesToolsOfWinner } from './judges.js';
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

/** Lets an answerer learn each domain, whole and in folds, and asks it everything that the labels can judge. */
export async function scoreAnswerer(
  answerer: Answerer,
  domains: readonly Domain[],
  options: ScoreOptions,
): Promise<Scores> {
  const asked: Asked[] = [];
  for (const domain of domains) {
    asked.push(...(await askAgain(answerer, domain, options)));
    for (const fold of domain.folds.keys()) asked.push(...(await askHeldOut(answerer, domain, fold, options)));
  }
  for (const domain of domains) asked.push(...(await askUnrelated(answerer, domain, domains, options)));
  return { measures: measuresOf(asked), asked };
}

/** The tasks of attempts that failed, with all attempts at them stored. */
async function askAgain(answerer: Answerer, domain: Domain, { questions, seed, say }: ScoreOptions): Promise<Asked[]> {
  const { name, interactions } = domain;
  say(`${answerer.name} learns ${name}, ${interactions.length} attempts`);
  await answerer.learn(name, interactions);
  const failed = interactions.filter(({ upload }) => upload.success === false).filter(hasWinner(domain));
  const askings = askingsOf(failed, questions, seed);
  return [
    ...(await ask(answerer, { metric: 'rescue', data: name, collection: name, askings, judge: rescues(domain) })),
    ...(await ask(answerer, { metric: 'paraphrased', data: name, collection: name, askings, judge: rescues(domain) })),
    ...(await ask(answerer, {
      metric: 'foreign',
      data: name,
      collection: name,
      askings,
      judge: foreignWinners(domain),
    })),
  ];
}

/** The tasks of one fold, with nothing but attempts at other tasks stored. */
async function askHeldOut(
  answerer: Answerer,
  domain: Domain,
  fold: number,
  { questions, seed, say }: ScoreOptions,
): Promise<Asked[]> {
  const { collection, stored, heldOut } = domain.folds[fold] as Domain['folds'][number];
  const data = domain.name;
  say(`${answerer.name} learns ${data} without part ${fold + 1} of ${domain.folds.length}, ${stored.length} attempts`);
  await answerer.learn(collection, stored);
  const share = Math.ceil(questions / domain.folds.length);
  const all = once(askingsOf(heldOut, share, seed));
  const won = once(askingsOf(heldOut.filter(hasWinner(domain)), share, seed));
  const related = hasFamilies(domain) ? all : [];
  return [
    ...(await ask(answerer, { metric: 'tools', data, collection, askings: won, judge: usesToolsOfWinner(domain) })),
    ...(await ask(answerer, { metric: 'family', data, collection, askings: related, judge: sharesFamily })),
    ...(await ask(answerer, { metric: 'answered', data, collection, askings: all, judge: isAnswered })),
  ];
}

/** The tasks of all other domains. */
async function askUnrelated(
  answerer: Answerer,
  domain: Domain,
  domains: readonly Domain[],
  { questions, seed }: ScoreOptions,
): Promise<Asked[]> {
  const others = domains.filter((other) => other !== domain);
  const theirs = others.flatMap(({ interactions }) => interactions);
  const askings = once(askingsOf(theirs, questions, seed));
  const data = `${domain.name} ← ${others.length === 1 ? others[0]?.name : 'all others'}`;
  return ask(answerer, { metric: 'falseAlarm', data, collection: domain.name, askings, judge: isAnswered });
}

interface Round extends Pick<Asked, 'metric' | 'data' | 'collection'> {
  askings: readonly Asking[];
  judge: Judge;
}

function ask(answerer: Answerer, { askings, judge, ...round }: Round): Promise<Asked[]> {
  return inParallel(askings, 2, async ({ interaction, times }) => {
    const plain = questionOf(interaction);
    const question = round.metric === 'paraphrased' ? { ...plain, text: paraphrase(plain.text) } : plain;
    const answer = await answerer.ask(round.collection, question);
    return { ...round, question, interaction, answer, times, score: judge(answer, interaction) };
  });
}

function measuresOf(asked: readonly Asked[]): Measure[] {
  const rounds = new Map<string, { metric: Metric; data: string; asked: Asked[] }>();
  for (const one of asked) {
    const key = `${one.metric} ${one.data}`;
    const round = rounds.get(key) ?? { metric: one.metric, data: one.data, asked: [] };
    round.asked.push(one);
    rounds.set(key, round);
  }
  return [...rounds.values()].map(({ metric, data, asked: those }) => {
    // Without any recommendation there is nothing to take a share of; how often that is is another metric.
    const counted = metric === 'family' ? those.filter(({ answer }) => answer.recommendations.length > 0) : those;
    return { metric, data, ...meanOf(counted) };
  });
}

function hasWinner(domain: Domain): (interaction: Asking['interaction']) => boolean {
  return ({ labels }) => domain.winnersOf(labels.task).length > 0;
}

/** Where a winner is labelled, families are something else than the actions that a task needs. */
function hasFamilies({ interactions }: Domain): boolean {
  return interactions.every(({ labels }) => labels.family !== undefined && labels.winner === undefined);
}

function once(askings: readonly Asking[]): Asking[] {
  return askings.map(({ interaction }) => ({ interaction, times: 1 }));
}
