import { hasSense } from '../senses/opposites.js';
import { changingWords, destroyingWords, readingWords } from '../shell/known-programs.js';
import { readShell } from '../shell/shell-reader.js';
import { isFlag, type ShellCommand } from '../shell/shell-words.js';
import { isStopWord } from '../words.js';
import { readExample } from './read-actions.js';

const plainWord = /^\p{Ll}{3,30}$/u;
/** Endings of participles and adjectives: "the failing job" names none. */
const describingEnding = /(?:ing|ed|est|able|ible|ive|ary|ous|ful|less|al)$/;
/** Adjectives that do not show it. Opposites such as "old" and "new" are known elsewhere. */
const describing = new Set(
  (
    'whole entire complete single current second third broken stuck corrupt faulty healthy unhealthy wrong correct busy idle ' +
    'dead good bad extra spare common important urgent'
  ).split(' '),
);

/** Whether a plain word of a task may name something: it does not describe it, and has no opposite. */
export function mayBeName(word: string): boolean {
  return mayHaveBeenName(word) && !describingEnding.test(word) && !describing.has(word);
}

function mayHaveBeenName(word: string): boolean {
  return plainWord.test(word) && !isStopWord(word) && !hasSense(word);
}

/**
 * How often the commands of an example name something by this word: `rollout restart deployment billing`, `logs pod/billing`.
 * Programs, sub-commands, options and their values are no names.
 */
export function countNamed(example: string, word: string): number {
  const isVerb = [readingWords, changingWords, destroyingWords].some((verbs) => verbs.has(word));
  if (isVerb || !mayHaveBeenName(word)) return 0;
  const actions = readExample(example);
  if (!actions.every(({ kind }) => kind === 'command')) return 0;
  const commands = actions.flatMap(({ text }) => readShell(text) ?? []);
  return commands.reduce((sum, command) => sum + countIn(command, word), 0);
}

function countIn({ words, operands: [first], inner, unreadable }: ShellCommand, word: string): number {
  if (inner || unreadable || first === undefined) return 0;
  const texts = words.map(({ text, value }) => value ?? text);
  // The first operand may be a sub-command.
  const from = texts.indexOf(first, 1) + 1;
  return texts.filter(
    (text, at) =>
      at >= from && (text === word || text.endsWith(`/${word}`)) && !isFlag(text) && !isFlag(texts[at - 1] ?? ''),
  ).length;
}
