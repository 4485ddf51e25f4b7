import { hasSense } from '../senses/opposites.js';
import { changingWords, destroyingWords, readingWords } from '../shell/known-programs.js';
import { isStopWord } from '../words.js';
import { monthOf } from './dates.js';
import { hasDigit, isCapitalised, type Tokens } from './tokens.js';
import type { FoundValue } from './value-forms.js';

/**
 * Written with a capital where nobody is named: days, programs and companies, the words of errors, forms and shops. One such
 * word among several means that they are no name.
 */
const ordinary = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'docker kubernetes linux ubuntu windows git github python java node react django flask mysql postgres redis kafka ' +
    'apache nginx jenkins terraform amazon google azure microsoft excel chrome firefox android slack jira visual stack ' +
    'english german french spanish italian chinese japanese ' +
    'error exception warning server request timeout access permission service file folder table column database field ' +
    'account order page menu button settings support team world sir class economy member card payment nr test report total'
  ).split(' '),
);
/** Verbs that open a request, capitalised there, beyond those that sub-commands and tools are called by. */
const openers = new Set(
  'ask tell call contact visit click try fix sort convert compute plot load replace download'.split(' '),
);
/** Verbs whose object is a label on a screen. */
const pointers = new Set('click press select choose tap open'.split(' '));
const particles = new Set('de van von der da di la del bin al'.split(' '));
/** One capital, or one for each part: "Marlow", "O'Hara", "Jean-Luc", "McCoy". */
const nameWord = /^(?:Mc|Mac|De|Di|La|Le|O['’]|D['’])?\p{Lu}[\p{Ll}\p{M}]+(?:[-'’]\p{Lu}?[\p{Ll}\p{M}]+)*$/u;
const mostInName = 4;
/** German capitalises every noun. */
const germanWords = new Set('der die das und ist nicht ich'.split(' '));
const beforeGermanName = new Set('für von an bei mit und'.split(' '));
const romanceWords = new Set('el la de en para con le les et pour dans'.split(' '));

/** What people say before their own name, which may then be in lower case. */
const introductions =
  "my name is, my name's, mein name ist, ich heiße, ich heisse, je m'appelle, me llamo, mi nombre es, mi chiamo".split(
    ', ',
  );
/** Words that a name follows, each with what may stand between the two. */
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
  /** What stands between the word before and this one. */
  gap: string;
}

/** Where a text names people. */
export function namesIn(text: string, tokens: Tokens): FoundValue[] {
  const words = wordsOf(text, tokens);
  const names = [...introduced(words), ...capitalisedNames(words, text)];
  // Somebody who is named in full once is meant by a part of the name as well.
  const known = new Set(names.flat().flatMap((word) => (isNameWord(word.text) ? word.text : [])));
  for (const word of words) if (known.has(word.text)) names.push([word]);
  return names.map((name) => ({ kind: 'name', from: name[0]?.from ?? 0, to: name.at(-1)?.to ?? 0 }));
}

/** The ’s of an owner stays outside. */
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

/** Whether a text as a whole looks like the name of a person, or of a place: two to four words with capitals. */
export function looksLikeName(text: string, fewest = 2): boolean {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace('.', ''));
  const names = words.filter((word) => !particles.has(word.toLowerCase()));
  const isName = names.some(isNameWord) && names.every((name) => isNameWord(name) || cues.has(name));
  return isName && names.length >= fewest && words.length <= mostInName;
}

function isNameWord(text: string): boolean {
  const lower = text.toLowerCase();
  const isOrdinary = ordinary.has(lower) || (lower.endsWith('s') && ordinary.has(lower.slice(0, -1)));
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
  // A single capitalised word is told from a noun only where it is plain that nouns have no capital.
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
    const name = opens && isOpener(first.text) ? run.slice(1) : run;
    const before = previous?.text.toLowerCase() ?? '';
    const left = first.gap === ' ' ? previous : undefined;
    const right = next?.gap === ' ' ? next : undefined;
    const capitals = [left, right].filter((word) => isCapitalised(word?.text ?? ''));
    // In a title every word has a capital, also those that names do not have.
    const isTitle = capitals.some((word) => word && isStopWord(word.text.toLowerCase()) && !opensSentence(word));
    const isPlain = beginsWord(first) && !isTitle && (!isGerman || beforeGermanName.has(before));
    // One word by itself may be the first of a sentence, what stands on a button, or part of a title.
    const isClear = isProse && !opens && capitals.length === 0 && first.text.length > 2 && !isOpener(first.text);
    const isLabel =
      pointers.has(before) || ordinary.has(right?.text.toLowerCase() ?? '') || hasDigit(first.gap.at(-2) ?? '');
    if (isCued(first, previous) || isSpokenTo(run, text)) found.push(run);
    else if (isPlain && name.length > (isClear && !isLabel ? 0 : 1) && name.length <= mostInName) found.push(name);
  }
  return found;
}

/** Words that may be one name: neighbours with only a space between. */
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
function isSpokenTo([first, second]: readonly Word[], text: string): boolean {
  return first?.gap === ', ' && !second && /^[.!?](?:\s|$)/.test(text.slice(first.to, first.to + 2));
}

/** Not in the middle of an identifier or of the name of a file. */
function beginsWord({ from, gap }: Word): boolean {
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
