const token = /\d+(?:\.\d+)*|[\p{L}\p{N}]+|[:=.,;!?@]/gu;
const marks = new Map(Object.entries({ '=': ':', ',': '.', ';': '.', '!': '.', '?': '.' }));

/** The words of a text in lower case, with `:` and `.` for the marks between them, from `^` to `$`. */
export function wordsIn(text: string): string[] {
  const words = text.toLowerCase().replaceAll("'", '').replaceAll('’', '').match(token) ?? [];
  return ['^', ...words.map((word) => marks.get(word) ?? word), '$'];
}

/** Whether one of some phrases stands anywhere among the words of a text. */
export type Phrases = (words: readonly string[]) => boolean;

/**
 * Compiles phrases, separated by commas. Of a word, `a|b` lists what may stand in its place, `a+b` is two words for one, and `a*` any
 * word that begins so; `#` is a number above zero, and `~3` skips up to three words.
 */
export function phrases(list: string): Phrases {
  return anyOf(list.split(', '));
}

export function anyOf(list: readonly string[]): Phrases {
  const compiled = list.map((phrase) => phrase.split(' ').map(compile));
  return (words) => compiled.some((parts) => words.some((_, at) => matches(parts, 0, words, at)));
}

type Part = { skips: number } | { choices: string[][] };

function compile(part: string): Part {
  if (part.startsWith('~')) return { skips: Number(part.slice(1)) };
  return { choices: part.split('|').map((choice) => choice.split('+')) };
}

function matches(parts: readonly Part[], next: number, words: readonly string[], at: number): boolean {
  const part = parts[next];
  if (part === undefined) return true;
  const matchRest = (from: number) => matches(parts, next + 1, words, from);
  if ('choices' in part) {
    return part.choices.some(
      (choice) => choice.every((word, offset) => fits(words[at + offset], word)) && matchRest(at + choice.length),
    );
  }
  for (let from = at; from <= at + part.skips; from++) if (matchRest(from)) return true;
  return false;
}

function fits(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false;
  if (pattern === '#') return Number(word) > 0;
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}
