import { hasSense } from '../senses/opposites.js';
import { changingWords, destroyingWords, readingWords } from '../shell/known-programs.js';
import { isStopWord } from '../words.js';
import { monthOf } from './dates.js';
import { hasDigit, isCapitalised, type Tokens } from './tokens.js';
import type { FoundValue } from './value-forms.js';

/**
 * Capitalised words that name nobody: days, products, companies, words of errors and forms. One of them in a phrase means that
 * the phrase is no name.
 */
const notNames = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'docker kubernetes linux ubuntu windows git github python java node react django flask mysql postgres redis kafka ' +
    'apache nginx jenkins terraform amazon google azure microsoft excel chrome firefox android slack jira visual stack ' +
    'english german french spanish italian chinese japanese ' +
    'error exception warning server request timeout access permission service file folder table column database field ' +
    'account order page menu button settings support team world sir class economy member card payment nr test report total'
  ).split(' '),
);
/** Verbs that start a request, besides those of sub-commands and tools. */
const openers = new Set(
  'ask tell call contact visit click try fix sort convert compute plot load replace download'.split(' '),
);
/** Verbs followed by a label on a screen. */
const pointers = new Set('click press select choose tap open'.split(' '));
const particles = new Set('de van von der da di la del bin al'.split(' '));
/** One capital per part: "Marlow", "O'Hara", "Jean-Luc", "McCoy". */
const nameWord = /^(?:Mc|Mac|De|Di|La|Le|O['’]|D['’])?\p{Lu}[\p{Ll}\p{M}]+(?:[-'’]\p{Lu}?[\p{Ll}\p{M}]+)*$/u;
const mostInName = 4;
/** Detects German, which capitalises all nouns. */
const germanWords = new Set('der die das und ist nicht ich'.split(' '));
const beforeGermanName = new Set('für von an bei mit und'.split(' '));
/** “Die Besprechung ist verschoben.” */
const articles = new Set(
  'der die das den dem des ein eine einen le la les un une el los las il lo gli una os as um uma'.split(' '),
);
const romanceWords = new Set('el la de en para con le les et pour dans'.split(' '));

/** Phrases before one's own name, which may then be in lower case. */
const introductions =
  "my name is, my name's, mein name ist, ich heiße, ich heisse, je m'appelle, me llamo, mi nombre es, mi chiamo".split(
    ', ',
  );
/** Words before a name, and the separators allowed between them. */
const cues = new Map(
  (
    [
      ['Mr Mrs Ms Miss Dr Prof Herr Herrn Frau Mme Monsieur Madame Señor Señora Signor Signora', [' ', '. ']],
      ['Dear Hi Hello Hey Thanks Liebe Lieber Hallo Bonjour Cher Chère Hola Estimado Estimada Ciao', [' ', ', ']],
      ['customer passenger user patient guest client employee student cliente passager kunde kundin', [' ']],
      ['regards sincerely cheers grüße grüßen gruß cordialement saludos', [' ', ', ', '\n', ',\n']],
    ] as const
  ).flatMap(([listed, between]) => listed.split(' ').map((cue) => [cue, new Set<string>(between)] as const)),
);
const cueWords = new Set([...cues.keys()].map((cue) => cue.toLowerCase()));

interface Word {
  text: string;
  from: number;
  to: number;
  /** Text between the previous word and this one. */
  gap: string;
}

export function namesIn(text: string, tokens: Tokens): FoundValue[] {
  const words = wordsOf(text, tokens);
  const names = [...introduced(words), ...capitalisedNames(words, text)];
  // Anyone named in full may be mentioned by part of the name.
  const known = new Set(names.flat().flatMap((word) => (isNameWord(word.text) ? word.text : [])));
  for (const word of words) if (known.has(word.text)) names.push([word]);
  return names.map((name) => ({ kind: 'name', from: name[0]?.from ?? 0, to: name.at(-1)?.to ?? 0 }));
}

/** Possessive ’s is not part of a name. */
function wordsOf(text: string, tokens: Tokens): Word[] {
  let end = 0;
  return tokens
    .filter(({ type }) => type === 'word')
    .map(({ text: found, from, to: behind }) => {
      const to = isCapitalised(found) && /['’]s$/.test(found) ? behind - 2 : behind;
      const gap = text.slice(end, from);
      end = to;
      return { text: text.slice(from, to), from, to, gap };
    });
}

/** Whether a whole text looks like a person's or place name: two to four capitalised words. */
export function looksLikeName(text: string, fewest = 2): boolean {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace('.', ''));
  const names = words.filter((word) => !particles.has(word.toLowerCase()));
  const isName = names.some(isNameWord) && names.every((name) => isNameWord(name) || cues.has(name));
  return isName && names.length >= fewest && words.length <= mostInName;
}

/** Whether one word looks like a part of a name. */
export function isNameWord(text: string): boolean {
  const lower = text.toLowerCase();
  const isOrdinary = notNames.has(lower) || (lower.endsWith('s') && notNames.has(lower.slice(0, -1)));
  return nameWord.test(text) && !isOrdinary && !cueWords.has(lower) && !isStopWord(lower) && !monthOf(lower);
}

function introduced(words: readonly Word[]): Word[][] {
  return words.flatMap((word, at) => {
    const said = words.slice(Math.max(0, at - 3), at).map(({ text }) => text.toLowerCase().replace('’', "'"));
    if (!introductions.includes(said.join(' ')) && !introductions.includes(said.slice(-2).join(' '))) return [];
    const next = words[at + 1];
    const name = next?.gap === ' ' ? [word, next] : [word];
    const end = name.findIndex(({ text }) => isStopWord(text.toLowerCase()));
    return end === 0 ? [] : [end < 0 ? name : name.slice(0, end)];
  });
}

function capitalisedNames(words: readonly Word[], text: string): Word[][] {
  const isGerman = words.filter((word) => germanWords.has(word.text)).length >= 2;
  // A single capitalised word is a name only where nouns are clearly in lower case.
  const isProse = !isGerman && words.filter((word) => isStopWord(word.text) || romanceWords.has(word.text)).length >= 2;
  const found: Word[][] = [];
  for (let at = 0; at < words.length; at++) {
    const run = runFrom(words, at, isGerman);
    const [first] = run;
    if (!first) continue;
    const previous = words[at - 1];
    at += run.length - 1;
    const next = words[at + 1];
    const opens = opensSentence(first);
    const name = opens && (isOpener(first.text) || articles.has(first.text.toLowerCase())) ? run.slice(1) : run;
    const before = previous?.text.toLowerCase() ?? '';
    const left = first.gap === ' ' ? previous : undefined;
    const right = next?.gap === ' ' ? next : undefined;
    const capitals = [left, right].filter((word) => isCapitalised(word?.text ?? ''));
    // Titles capitalise stop words too.
    const isTitle = capitals.some((word) => word && isStopWord(word.text.toLowerCase()) && !opensSentence(word));
    const isPlain = startsWord(first) && !isTitle && (!isGerman || beforeGermanName.has(before));
    // A single word could start a sentence, or be a label or part of a title.
    const isClear = isProse && !opens && capitals.length === 0 && first.text.length > 2 && !isOpener(first.text);
    const isLabel =
      pointers.has(before) || notNames.has(right?.text.toLowerCase() ?? '') || hasDigit(first.gap.at(-2) ?? '');
    if (isCued(first, previous) || isAddressed(run, text)) found.push(run);
    else if (isPlain && name.length > (isClear && !isLabel ? 0 : 1) && name.length <= mostInName) found.push(name);
  }
  return found;
}

/** Adjacent words that could form a name. */
function runFrom(words: readonly Word[], at: number, isGerman: boolean): Word[] {
  const run: Word[] = [];
  for (const word of words.slice(at, at + 20)) {
    const isPart = isNameWord(word.text) || (!isGerman && run.length > 0 && particles.has(word.text));
    if (!isPart || (run.length > 0 && word.gap !== ' ')) break;
    run.push(word);
  }
  while (particles.has(run.at(-1)?.text ?? '')) run.pop();
  return run;
}

function isCued({ gap }: Word, previous: Word | undefined): boolean {
  const cue = previous?.text ?? '';
  return (cues.get(cue) ?? cues.get(cue.toLowerCase()))?.has(gap) === true;
}

/** "It is on its way, Ada." */
function isAddressed([first, second]: readonly Word[], text: string): boolean {
  return first?.gap === ', ' && !second && /^[.!?](?:\s|$)/.test(text.slice(first.to, first.to + 2));
}

/** Not inside an identifier or file name. */
function startsWord({ from, gap }: Word): boolean {
  return from === 0 || gap.trimEnd() !== gap || '("\'“‘«¿¡—–,|*>['.includes(gap.at(-1) ?? '.');
}

function isOpener(text: string): boolean {
  const verb = text.toLowerCase();
  return [openers, readingWords, changingWords, destroyingWords].some((verbs) => verbs.has(verb)) || hasSense(text);
}

function opensSentence({ from, gap }: Word): boolean {
  const before = gap.trimEnd();
  return from === 0 || gap.slice(before.length).includes('\n') || '.!?:;"“(•*-'.includes(before.at(-1) ?? 'none');
}
