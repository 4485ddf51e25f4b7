import { containsAction, jaccard, plainSpaces, utilitiesOf } from './actions.js';
import type { Answer } from './answerer.js';
import type { Domain } from './domain.js';
import type { Interaction } from './interaction.js';
import { valuesIn, valuesOfCase } from './values-in.js';

/** Scores an answer to the task of an attempt. */
export type Judge = (answer: Answer, interaction: Interaction) => number;

/** One of the first three recommendations shows an action that made another attempt succeed. */
export function rescues(domain: Domain): Judge {
  return ({ recommendations }, { labels }) => {
    const winners = domain.winnersOf(labels.task);
    const top = recommendations.slice(0, 3);
    return top.some(({ text }) => winners.some((winner) => containsAction(text, winner))) ? 1 : 0;
  };
}

/** One of the first three recommendations shows or names half of a winner's tools. */
export function usesToolsOfWinner(domain: Domain): Judge {
  const tools = new Set(winnersIn(domain).flatMap((winner) => [...utilitiesOf(winner)]));
  return ({ recommendations }, { labels }) => {
    const winners = domain.winnersOf(labels.task).map(utilitiesOf);
    const told = recommendations
      .slice(0, 3)
      .flatMap(({ text, example }) =>
        example === undefined ? [toolsNamedIn(text, tools)] : actionsIn(example).map(utilitiesOf),
      );
    return told.some((some) => winners.some((winner) => jaccard(some, winner) >= 0.5)) ? 1 : 0;
  };
}

/** Quoted text is a task, whose words may happen to be names of tools. */
function toolsNamedIn(text: string, tools: ReadonlySet<string>): Set<string> {
  const words = text.replace(/“[^”]*”/g, '').split(/[\s,;:]+|\.(?=\s|$)/);
  return new Set(words.filter((word) => tools.has(word)));
}

/** An example of several lines is one action, or one in each line. */
function actionsIn(example: string): string[] {
  const lines = example.split('\n');
  return lines.length === 1 ? lines : [example, ...lines];
}

/** How many winners of other tasks appear in the answer. */
export function foreignWinners(domain: Domain): Judge {
  const all = winnersIn(domain);
  // A single word, such as `pwd`, appears in ordinary sentences.
  const telling = all.filter((winner) => winner.includes(' ') || winner.includes('('));
  return ({ added }, { labels }) => {
    const own = domain.winnersOf(labels.task);
    const text = plainSpaces(added);
    return telling.filter((winner) => !own.some((mine) => mine.includes(winner)) && containsAction(text, winner))
      .length;
  };
}

/** A recommendation made from several attempts counts by the share of them that are of the family. */
export const sharesFamily: Judge = ({ recommendations }, { labels }) => {
  const shares = recommendations.slice(0, 5).map(({ sources }) => {
    const same = sources.filter((source) => source.labels.family === labels.family).length;
    return sources.length === 0 ? 0 : same / sources.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
};

/** The same out of five, however many were told. */
export const sharesFamilyOfFive: Judge = (answer, interaction) =>
  (sharesFamily(answer, interaction) * Math.min(5, answer.recommendations.length)) / 5;

/** How many values of stored attempts appear in the answer to a case that does not name them itself. */
export function foreignValues(stored: readonly Interaction[]): Judge {
  const values = new Set(stored.flatMap((interaction) => [...valuesOfCase(interaction)]));
  return ({ added }, { upload }) => {
    const own = valuesIn(upload.query, values);
    return valuesIn(added, values).filter((value) => !own.includes(value)).length;
  };
}

export const isAnswered: Judge = ({ recommendations }) => (recommendations.length > 0 ? 1 : 0);

function winnersIn({ interactions, winnersOf }: Domain): string[] {
  return [...new Set(interactions.flatMap(({ labels }) => winnersOf(labels.task)))];
}
