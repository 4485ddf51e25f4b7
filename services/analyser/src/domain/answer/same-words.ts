import { contentWords } from '@whetstone/reading';

/** Words that mean the same wherever a task has them: to tell another task from other words for it. */
export interface SameWords {
  /** The first stands for all of them. */
  words: readonly string[];
  /** Two ways to say the same, and one thing that must stay apart from the first. */
  same: readonly [string, string];
  other: string;
}

function row(words: string, same: readonly [string, string], other: string): SameWords {
  return { words: words.split(', '), same, other };
}

export const sameWords: readonly SameWords[] = [
  row('delete, remove, erase, get rid of', ['Delete the notes', 'Get rid of the notes'], 'Read the notes'),
  row('directory, folder', ['Count the folders', 'Count the directories'], 'Count the files'),
  row('show, display, print, list, output', ['List the users', 'Print the users'], 'Sort the users'),
  row('find, locate, search for, look for', ['Look for the key', 'Find the key'], 'Copy the key'),
  row('create, make', ['Create a group', 'Make a group'], 'Join a group'),
  row('count, tally, how many', ['How many trees', 'Count the trees'], 'Plant the trees'),
  row('calculate, compute', ['Compute the sum', 'Calculate the sum'], 'Print the sum'),
  row('change, modify, alter', ['Modify the title', 'Change the title'], 'Show the title'),
  row('copy, duplicate', ['Copy the page', 'Duplicate the page'], 'Move the page'),
  row('larger, bigger, greater', ['Find bigger files', 'Find larger files'], 'Find smaller files'),
  row('replace, substitute', ['Replace the lamp', 'Substitute the lamp'], 'Buy the lamp'),
  row('called, named', ['A file named x', 'A file called x'], 'A file with x'),
];

const stands = new Map<string, string>();
for (const { words } of sameWords) for (const word of words) stands.set(word, words[0] as string);

/** Longer phrases first, as whole words, with the ending that a noun or a verb may have. */
const phrases = new RegExp(
  `(?<![\\p{L}\\p{N}])(${[...stands.keys()].sort((a, b) => b.length - a.length).join('|')})(s|d|ed|ies)?(?![\\p{L}\\p{N}])`,
  'gu',
);
const plurals = new Map([['directories', 'directory']]);

/** The words of a task that carry its meaning, each in the one word that stands for it. */
export function meaningWords(text: string): Set<string> {
  const plain = text.slice(0, 4_000).toLowerCase();
  const said = plain
    .replace(/\p{L}{4,12}/gu, (word) => plurals.get(word) ?? word)
    .replace(phrases, (_, words: string) => stands.get(words) ?? words);
  return contentWords(said);
}
