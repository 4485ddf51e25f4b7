import { inParallel } from '../support/eventually.js';
import type { Answerer } from './answerer.js';
import { type Asking, askingsOf, type Domain } from './domain.js';
import { type Interaction, questionOf } from './interaction.js';
import {
  foreignValues,
  foreignWinners,
  isAnswered,
  type Judge,
  rescues,
  sharesFamily,
  sharesFamilyOfFive,
  usesToolsOfWinner,
} from './judges.js';
import { type Asked, type Measure, type Metric, meanOf } from './measure.js';
import { paraphrase } from './paraphrase.js';

export interface ScoreOptions {
  /** Maximum number of distinct texts per metric and domain, sampled by the seed. */
  questions: number;
  seed: number;
  /** Only these metrics; all by default. */
  only?: readonly Metric[];
  say(line: string): void;
}

export interface Scores {
  measures: Measure[];
  asked: Asked[];
}

/** Has an answerer learn each domain, whole and in folds, and asks everything the labels can judge. */
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
async function askAgain(answerer: Answerer, domain: Domain, options: ScoreOptions): Promise<Asked[]> {
  const { name, interactions } = domain;
  const failed = interactions.filter(({ upload }) => upload.success === false).filter(hasWinner(domain));
  const askings = askingsOf(failed, options.questions, options.seed);
  const rounds: Round[] = [
    { metric: 'rescue', data: name, askings, judge: rescues(domain) },
    { metric: 'paraphrased', data: name, askings, judge: rescues(domain) },
    { metric: 'foreign', data: name, askings, judge: foreignWinners(domain) },
  ];
  return askRounds(answerer, { name, stored: interactions }, rounds, options);
}

/** The tasks of one fold, with only attempts at other tasks stored. */
async function askHeldOut(answerer: Answerer, domain: Domain, fold: number, options: ScoreOptions): Promise<Asked[]> {
  const { collection, stored, heldOut } = domain.folds[fold] as Domain['folds'][number];
  const share = Math.ceil(options.questions / domain.folds.length);
  const all = once(askingsOf(heldOut, share, options.seed));
  const won = once(askingsOf(heldOut.filter(hasWinner(domain)), share, options.seed));
  const data = domain.name;
  const rounds: Round[] = [
    { metric: 'tools', data, askings: won, judge: usesToolsOfWinner(domain) },
    { metric: 'family', data, askings: hasFamilies(domain) ? all : [], judge: sharesFamily },
    { metric: 'familyOfFive', data, askings: hasFamilies(domain) ? all : [], judge: sharesFamilyOfFive },
    { metric: 'answered', data, askings: all, judge: isAnswered },
    { metric: 'values', data, askings: hasFamilies(domain) ? all : [], judge: foreignValues(stored) },
  ];
  return askRounds(answerer, { name: collection, stored }, rounds, options);
}

/** The tasks of all other domains. */
async function askUnrelated(
  answerer: Answerer,
  { name, interactions }: Domain,
  domains: readonly Domain[],
  options: ScoreOptions,
): Promise<Asked[]> {
  const others = domains.filter((other) => other.name !== name);
  const theirs = others.flatMap((other) => other.interactions);
  const askings = once(askingsOf(theirs, options.questions, options.seed));
  const data = `${name} ← ${others.length === 1 ? others[0]?.name : 'all others'}`;
  const rounds: Round[] = [{ metric: 'falseAlarm', data, askings, judge: isAnswered }];
  return askRounds(answerer, { name, stored: interactions }, rounds, options);
}

interface Round extends Pick<Asked, 'metric' | 'data'> {
  askings: readonly Asking[];
  judge: Judge;
}

interface Collection {
  name: string;
  stored: readonly Interaction[];
}

/** Fills the collection on its first question. */
async function askRounds(
  answerer: Answerer,
  { name, stored }: Collection,
  rounds: readonly Round[],
  { only, say }: ScoreOptions,
): Promise<Asked[]> {
  const wanted = rounds.filter(({ metric, askings }) => askings.length > 0 && (only?.includes(metric) ?? true));
  if (wanted.length === 0) return [];
  if (!answerer.knows(name)) {
    say(`${answerer.name} learns ${stored.length} attempts: ${name}`);
    await answerer.learn(name, stored);
  }
  const asked: Asked[] = [];
  for (const round of wanted) asked.push(...(await ask(answerer, name, round)));
  return asked;
}

function ask(answerer: Answerer, collection: string, { metric, data, askings, judge }: Round): Promise<Asked[]> {
  return inParallel(askings, 2, async ({ interaction, times }) => {
    const plain = questionOf(interaction);
    const question = metric === 'paraphrased' ? { ...plain, text: paraphrase(plain.text) } : plain;
    const answer = await answerer.ask(collection, question);
    return { metric, data, collection, question, interaction, answer, times, score: judge(answer, interaction) };
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
    // Without recommendations there is no share; how often that happens is another metric.
    const counted = metric === 'family' ? those.filter(({ answer }) => answer.recommendations.length > 0) : those;
    return { metric, data, ...meanOf(counted) };
  });
}

function hasWinner(domain: Domain): (interaction: Interaction) => boolean {
  return ({ labels }) => domain.winnersOf(labels.task).length > 0;
}

/** If a winner is labelled, a family does not stand for the actions a task needs. */
function hasFamilies({ interactions }: Domain): boolean {
  return interactions.every(({ labels }) => labels.family !== undefined && labels.winner === undefined);
}

function once(askings: readonly Asking[]): Asking[] {
  return askings.map(({ interaction }) => ({ interaction, times: 1 }));
}
