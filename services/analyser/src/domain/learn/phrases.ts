const token = /\d+(?:\.\d+)*|[\p{L}\p{N}]+|[:=.,;!?@]/gu;
const marks = new Map(Object.entries({ '=': ':', ',': '.', ';': '.', '!': '.', '?': '.' }));

/** Lower-case words between `^` and `$`, with punctuation reduced to `:` and `.`. */
export function wordsIn(text: string): string[] {
  const words = text.toLowerCase().replaceAll("'", '').replaceAll('’', '').match(token) ?? [];
  return ['^', ...words.map((word) => marks.get(word) ?? word), '$'];
}

/** Whether any of the phrases occurs among the words. */
export type Phrases = (words: readonly string[]) => boolean;

/**
 * Compiles a comma-separated list of phrases. `a|b`: either word. `a+b`: a followed by b, as one alternative. `a*`: any
 * word that starts with a. `#`: a number above zero. `~3`: skip up to three words.
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
