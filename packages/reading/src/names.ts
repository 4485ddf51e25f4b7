import { monthOf } from './dates.js';
import { hasSense } from './opposites.js';
import { rootOfWritten } from './task-words.js';
import { isStopWord } from './words.js';

/** A place in a text, with the person it names. */
export interface FoundName {
  from: number;
  to: number;
}

/**
 * Written with a capital where nobody is named: days, programs and companies, the words of errors, forms and shops. One of two
 * words is enough to see that they are no name.
 */
const ordinary = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag ' +
    'docker kubernetes linux ubuntu windows git github gitlab python java javascript typescript node react django flask ' +
    'postgres postgresql mysql sqlite mongodb redis kafka apache nginx jenkins terraform ansible amazon google azure cloud ' +
    'microsoft excel chrome firefox android slack jira visual stack web bash perl ruby rust php kotlin scala helm grafana ' +
    'prometheus elasticsearch spark hadoop airflow pandas maven gradle angular vue rails spring vim emacs internet ' +
    'english german french spanish italian chinese japanese ' +
    'error exception warning server request response gateway timeout access permission internal service file folder ' +
    'directory table column row database schema index key value field type account order product item page menu button ' +
    'settings status code number customer support team network world sir madam class economy business premium standard ' +
    'basic gold silver member card credit gift payment nr test version issue report total sum count average null json sql html'
  ).split(' '),
);
/** Orders begin with a verb, in a capital. */
const openers = new Set(
  (
    'list print find look get set check run restart install update upgrade copy move rename ask tell call write read sort ' +
    'build deploy convert compute calculate search select query click type press visit go see try change fix configure ' +
    'export import load fetch plot replace download upload choose pick contact notify email install note verify review'
  )
    .split(' ')
    .map(rootOfWritten),
);
/** What is pointed at on a screen has a name of its own. */
const pointers = new Set('click press select choose tap open hit button labelled labeled called'.split(' '));
const particles = new Set('de van von der den da di la del bin al el ten ter y'.split(' '));
const word = /[\p{L}\p{M}][\p{L}\p{M}'’-]*/gu;
/** One capital, or one for each part: "Marlow", "O'Hara", "Jean-Luc", "McCoy". */
const nameWord = /^(?:Mc|Mac|De|Di|La|Le|O['’]|D['’])?\p{Lu}[\p{Ll}\p{M}]+(?:[-'’]\p{Lu}?[\p{Ll}\p{M}]+)*$/u;
const mostInName = 4;
/** Who writes German gives a capital to every noun. */
const germanWords = new Set('und der die das ist nicht ein eine für mit auf den dem bitte ich'.split(' '));
const beforeGermanName = new Set('für fuer von an bei kunden namens name heißt und mit'.split(' '));

const smallWords = new Set('el la los las de en para con le les et un une pour dans avec il per'.split(' '));

/** Said before a name, or in place of one. */
const introductions: readonly RegExp[] = [
  /(?<!\p{L})(?:my name(?: is|['’]s)|mein name ist|ich hei(?:ß|ss)e|je m['’]appelle|me llamo|mi nombre es|mi chiamo)[: ]{1,2}/giu,
];
const titles: readonly RegExp[] = [
  /(?<!\p{L})(?:Mrs?|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|Señora?|Signora?)\.? /gu,
  /(?<=^|[.!?\n]\s?)(?:Dear|Hi|Hello|Hey|Thanks|Thank you|Liebe[rs]?|Hallo|Bonjour|Cher|Chère|Hola|Estimad[oa]|Ciao),? /gmu,
  /(?<!\p{L})(?:customer|passenger|user|patient|guest|client|employee|student|Kundin|Kunde|cliente|passager)s? /giu,
  // Somebody is spoken to: "…, Ada."
  /, (?=\p{Lu}[\p{L}'’-]{1,30}[.!?](?:\s|$))/gu,
  /(?<!\p{L})(?:regards|sincerely|cheers|Grüßen?|Gruß|cordialement|saludos),?\s/giu,
];

interface Word extends FoundName {
  text: string;
  isCue: boolean;
}

/** Where a text names people. The text has to be bounded. */
export function namesIn(text: string): FoundName[] {
  const cues = cuesIn(text, titles);
  const words = [...text.matchAll(word)].map(({ 0: found, index }) => wordAt(found, index));
  // "Liebe Ada": what introduces a name is no part of it.
  let cue = 0;
  for (const one of words) {
    while (cue < cues.length && (cues[cue]?.to ?? 0) <= one.from) cue++;
    one.isCue = (cues[cue]?.from ?? Number.POSITIVE_INFINITY) <= one.from;
  }
  const found = [...introduced(text, words), ...titled(text, words, cues), ...capitalisedRuns(text, words)];
  // Somebody who is named in full once is meant by a part of the name as well.
  const known = new Set(found.flatMap(({ from, to }) => text.slice(from, to).split(/[\s.]+/)).filter(isNameWord));
  for (const { text: one, from, to } of words) if (known.has(one)) found.push({ from, to });
  return found;
}

/** The ’s of an owner and marks at the end stay outside. */
function wordAt(found: string, from: number): Word {
  const text = found.replace(/['’]s?$/, '').replace(/[-'’]+$/, '');
  return { text, from, to: from + text.length, isCue: false };
}

/** Whether a text as a whole looks like the name of a person, or of a place: two to four words with capitals. */
export function looksLikeName(text: string, fewest = 2): boolean {
  const words = text.trim().split(/\s+/);
  const names = words.filter((one) => !particles.has(one.toLowerCase()));
  return (
    names.length >= fewest && words.length <= mostInName && names.every((one) => isNameWord(one.replace(/\.$/, '')))
  );
}

function isNameWord(text: string): boolean {
  if (!nameWord.test(text)) return false;
  const lower = text.toLowerCase();
  return !isOrdinary(lower) && !(lower.endsWith('s') && ordinary.has(lower.slice(0, -1)));
}

function isOrdinary(lower: string): boolean {
  return ordinary.has(lower) || isStopWord(lower) || monthOf(lower) !== undefined;
}

function introduced(text: string, words: readonly Word[]): FoundName[] {
  return cuesIn(text, introductions).flatMap(({ to }) => {
    const names = takeWhile(
      words,
      placeOf(words, to),
      text,
      (one, at) => at < 2 && !isStopWord(one.text.toLowerCase()),
    );
    return names.length === 0 ? [] : [spanOf(names)];
  });
}

function titled(text: string, words: readonly Word[], cues: readonly FoundName[]): FoundName[] {
  return cues.flatMap(({ to }) => {
    const names = takeWhile(words, placeOf(words, to), text, (one, at) => at < 3 && isName(one));
    return names[0]?.from === to ? [spanOf(names)] : [];
  });
}

function isName({ text, isCue }: Word): boolean {
  return !isCue && isNameWord(text);
}

/** The place of the first word from there on. */
function placeOf(words: readonly Word[], from: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In their order. */
function cuesIn(text: string, patterns: readonly RegExp[]): FoundName[] {
  return patterns
    .flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
    )
    .sort((a, b) => a.from - b.from);
}

/** Neighbours with only a space between. */
function takeWhile(
  words: readonly Word[],
  first: number,
  text: string,
  takes: (one: Word, at: number) => boolean,
): Word[] {
  const taken: Word[] = [];
  for (let at = first; at < words.length; at++) {
    const one = words[at] as Word;
    if (taken.length > 0 && text.slice(taken.at(-1)?.to, one.from) !== ' ') break;
    if (!takes(one, taken.length)) break;
    taken.push(one);
  }
  return taken;
}

function spanOf(words: readonly Word[]): FoundName {
  return { from: words[0]?.from ?? 0, to: words.at(-1)?.to ?? 0 };
}

function capitalisedRuns(text: string, words: readonly Word[]): FoundName[] {
  const isGerman = words.filter(({ text: one }) => germanWords.has(one)).length >= 2;
  // One word by itself is told from a noun only where it is plain that nouns have no capital.
  const isProse = !isGerman && words.filter(({ text: one }) => isStopWord(one) || smallWords.has(one)).length >= 2;
  const found: FoundName[] = [];
  for (let at = 0; at < words.length; at++) {
    const run = takeWhile(
      words,
      at,
      text,
      (one, place) => isName(one) || (!isGerman && place > 0 && particles.has(one.text)),
    );
    while (run.length > 0 && particles.has(run.at(-1)?.text ?? '')) run.pop();
    const first = run[0];
    if (!first) continue;
    const before = words[at - 1]?.text.toLowerCase() ?? '';
    const next = words[at + run.length];
    const after = next?.from === (run.at(-1)?.to ?? 0) + 1 ? next.text.toLowerCase() : '';
    at += run.length - 1;
    const opens = opensSentence(text, first);
    const name = opens && isOpener(first.text) ? run.slice(1) : run;
    if (name.length > mostInName || (isGerman && !beforeGermanName.has(before)) || isInHeading(text, first)) continue;
    // One word by itself may be the first of a sentence, or what stands on a button.
    const isLabel =
      name.length === 1 && (!isProse || opens || pointers.has(before) || ordinary.has(after) || isOpener(first.text));
    const isPart = name.length === 1 && (standsIn(text, first) || (name[0]?.text.length ?? 0) < 3);
    if (name.length > 0 && !isLabel && !isPart && beginsWord(text, first)) found.push(spanOf(name));
  }
  return found;
}

/** Not a part of an identifier or of the name of a file. */
function beginsWord(text: string, { from }: Word): boolean {
  return from === 0 || /[\s("'“‘«¿¡—–,|*>[]/.test(text.charAt(from - 1));
}

/** Beside another word with a capital ("Not Found"), or behind a number ("2 Kilobytes"). */
function standsIn(text: string, { from, to }: Word): boolean {
  return (
    /(?:\d|(?:^|[^\p{L}])\p{Lu}[\p{L}]+) $/u.test(text.slice(Math.max(0, from - 30), from)) ||
    /^ \p{Lu}\p{L}/u.test(text.slice(to, to + 3))
  );
}

/** In a heading every word has a capital, also those that names do not have. */
function isInHeading(text: string, { from }: Word): boolean {
  const start = text.lastIndexOf('\n', from) + 1;
  const line = text.slice(Math.max(start, from - 200), from + 200).split('\n', 1)[0] ?? '';
  if (/[.!?] /.test(line)) return false;
  const words = line.match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const capitals = words.filter((one) => /^\p{Lu}/u.test(one));
  return (
    words.length >= 5 &&
    capitals.length >= 0.75 * words.length &&
    capitals.slice(1).some((one) => isStopWord(one.toLowerCase()))
  );
}

function isOpener(text: string): boolean {
  return openers.has(rootOfWritten(text)) || hasSense(text);
}

function opensSentence(text: string, { from }: Word): boolean {
  return /(?:^|[.!?:;\n"“(•*-]\s*)$/.test(text.slice(Math.max(0, from - 4), from));
}
