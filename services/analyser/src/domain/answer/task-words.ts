import {
  asksForFacts,
  countContentWords,
  inDigits,
  isForeignWord,
  isStopWord,
  readSenses,
  type Senses,
  separateWords,
  withoutCourtesy,
} from '@whetstone/reading';

export interface Token {
  text: string;
  /** For comparison: lower case, without a plural s. */
  word: string;
  /** `value`: quoted, or it looks like data. `name`: capitalised within a sentence. */
  kind: 'word' | 'name' | 'value';
}

export interface Clause {
  /** Plain words in order of the alphabet. */
  words: readonly string[];
  /** It tells something, such as a reason: "she pays too much". */
  isStatement: boolean;
}

export interface Task {
  tokens: readonly Token[];
  /** Those that are names or values. */
  things: readonly Token[];
  /** Of the tokens, as written and for comparison. */
  texts: ReadonlySet<string>;
  tokenWords: ReadonlySet<string>;
  /** Equal for texts that differ only in case, whitespace and punctuation. */
  plain: string;
  words: ReadonlySet<string>;
  /** Those that are neither names nor values. */
  plainWords: readonly string[];
  /** How often each of them occurs. */
  counts: ReadonlyMap<string, number>;
  /** The word the text starts with, if it carries meaning; "recursively" says how. */
  verb: string | undefined;
  /** It has small words of English. */
  isEnglish: boolean;
  /** It has more small words of other languages than of English, or none of English and a letter that English lacks. */
  isForeign: boolean;
  /** As written, in lower case and in order of the alphabet, without names, values and small words of other languages. */
  spelling(): string;
  /** It is a single request. */
  isOneClause: boolean;
  /** Those with plain words; parsed on first use. */
  clauses(): readonly Clause[];
  /** The words that its clauses begin with, as stems; most are verbs: "block" and "post", of "block the card, and post another". */
  wishes(): ReadonlySet<string>;
  /** It asks about facts rather than for something to be done. */
  isQuestion(): boolean;
  /** What it asks for; parsed on first use. */
  senses(): Senses;
}

const maxChars = 4_000;

export function prepare(asked: string): Task {
  const text = separateWords(withoutCourtesy(asked));
  const tokens = tokensOf(text.slice(0, maxChars));
  const ownWords = tokens.flatMap(({ kind, text: word }) => (kind === 'word' ? word.toLowerCase() : []));
  const plain = tokens.map((token) => (token.kind === 'value' ? token.text : token.text.toLowerCase())).join(' ');
  const isEnglish = tokens.some(({ kind, text: word }) => kind !== 'value' && isStopWord(word.toLowerCase()));
  const foreignWords = ownWords.filter(isForeignWord).length;
  const hasOtherLetters = !isEnglish && ownWords.some((word) => /[^\P{L}a-z]/u.test(word));
  const plainWords = meaningWords(plainTextOf(tokens));
  const counts = countMeaningWords(text);
  const words = new Set(counts.keys());
  const start = adverb.test(tokens[0]?.word ?? '') ? 1 : 0;
  const first = tokens[start];
  return {
    tokens,
    things: tokens.filter(({ kind }) => kind !== 'word'),
    texts: new Set(tokens.map(({ text: written }) => written)),
    tokenWords: new Set(tokens.map(({ word }) => word)),
    plain,
    words,
    plainWords: [...plainWords],
    counts,
    verb: first?.kind === 'word' && meaningWords(first.text).size > 0 ? [...words][start] : undefined,
    isEnglish,
    isForeign: hasOtherLetters || foreignWords > ownWords.filter(isStopWord).length,
    spelling: once(() =>
      ownWords
        .filter((word) => !isForeignWord(word))
        .sort()
        .join(' '),
    ),
    isOneClause: text.split(clauseEnd).filter((clause) => clause.trim() !== '').length === 1,
    clauses: once(() => clausesOf(text.slice(0, maxChars), plainWords)),
    wishes: once(() => wishesIn(text.slice(0, maxChars))),
    isQuestion: once(() => asksForFacts(text)),
    senses: once(() => readSenses(text.slice(0, maxChars))),
  };
}

/** Reads on first use, and keeps what it read. */
export function once<Reading>(read: () => Reading): () => Reading {
  let found: { reading: Reading } | undefined;
  return () => {
    found ??= { reading: read() };
    return found.reading;
  };
}

/** "Recursively", but neither "apply" nor "reply" nor "rely". */
const adverb = /(?<!p|f|\br?e)ly$/;

const clauseEnd = /(?<!(?<!\p{L})\p{Lu}\p{L}{0,2})[.,;:!?]+(?:\s|$)|\n|\s(?:and|und|et|y)\s/u;

const statement = /^\s*(?:i|he|she|it|we|they|there)(?:['’]\p{L}+)?\s/iu;

function clausesOf(text: string, plainWords: ReadonlySet<string>): Clause[] {
  const clauses = text.split(clauseEnd).map((clause, at) => ({
    words: [...meaningWords(clause)].filter((word) => plainWords.has(word)).sort(),
    isStatement: at > 0 && statement.test(clause),
  }));
  return clauses.filter(({ words }) => words.length > 0);
}

/** What comes before a wish. */
const before = new Set(
  'please pls kindly then also now and but so just first finally can could would will you we i id d like want need to let us'.split(
    ' ',
  ),
);
/** Verbs that carry no meaning of their own. */
const lightVerbs = new Set('give get make put take use'.split(' '));

function wishesIn(text: string): Set<string> {
  const first = text.split(clauseEnd).flatMap((clause, at) => {
    if (at > 0 && statement.test(clause)) return [];
    const word = (clause.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).find((one) => !before.has(one)) ?? '';
    return lightVerbs.has(word) ? word : [...meaningWords(word)];
  });
  return new Set(first);
}

function plainTextOf(tokens: readonly Token[]): string {
  return tokens.flatMap(({ kind, text }) => (kind === 'word' ? text : [])).join(' ');
}

const pieces =
  /"[^"\n]{1,200}"|(?<!\w)'[^'\n]{1,200}'(?!\w)|[“„][^”“\n]{1,200}[”“]|«[^»\n]{1,200}»|「[^」\n]{1,200}」|`[^`\n]{1,200}`|(?:[^\s"“„«「`']|(?<=\w)'(?=\w))+|\S/g;
const quoted = /^["'“„«「`](.+)["'”“»」`]$/;
const around = /^[([{,;:!?]+|[)\]},;:!?.…]+$/g;
const formOfValue = /[\p{N}/\\_*@=$~%#<>|+^]|\w[.:]\w|^[-.]\w|\p{Ll}\p{Lu}|^(?![AI]$)\p{Lu}$/u;
/** "Mr. Hill" */
const abbreviation = /^\p{Lu}\p{L}{0,2}\.$/u;
const startOfName = /^\p{Lu}[\p{L}\p{M}]/u;

function tokensOf(text: string): Token[] {
  let begins = true;
  return (text.match(pieces) ?? []).flatMap((piece) => {
    const inside = quoted.exec(piece)?.[1]?.trim();
    const bare = inside ?? piece.replace(around, '');
    const isFirst = begins;
    begins = /[.!?:]$/.test(piece) && !abbreviation.test(piece);
    if (bare === '') return [];
    const digits = inDigits(bare.toLowerCase());
    if (digits !== undefined) return [{ text: digits, word: digits, kind: 'value' as const }];
    const isValue = inside !== undefined || formOfValue.test(bare);
    const kind = isValue ? 'value' : startOfName.test(bare) && !isFirst ? 'name' : 'word';
    return [{ text: bare, word: wordOf(bare), kind }];
  });
}

function wordOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length > 3 ? lower.replace(/s$/, '') : lower;
}

/** Synonyms: they tell a reworded task from another one. */
interface Synonyms {
  /** The first is the canonical one. */
  words: readonly string[];
  /** Two equivalent texts, and one that must differ from the first. */
  same: readonly [string, string];
  other: string;
}

function row(words: string, same: readonly [string, string], other: string): Synonyms {
  return { words: words.split(', '), same, other };
}

export const synonyms: readonly Synonyms[] = [
  row('delete, remove, erase, get rid of', ['Delete the notes', 'Get rid of the notes'], 'Read the notes'),
  row('directory, folder', ['Count the folders', 'Count the directories'], 'Count the files'),
  row('show, display, print, list, output', ['List the users', 'Print the users'], 'Sort the users'),
  row('find, locate, search for, look for', ['Look for the key', 'Find the key'], 'Copy the key'),
  row('create, make', ['Create a group', 'Make a group'], 'Join a group'),
  row('count, tally, how many', ['How many trees', 'Count the trees'], 'Plant the trees'),
  row('calculate, compute, work out', ['Compute the sum', 'Calculate the sum'], 'Print the sum'),
  row('change, modify, alter', ['Modify the title', 'Change the title'], 'Show the title'),
  row('copy, duplicate', ['Copy the page', 'Duplicate the page'], 'Move the page'),
  row('number, quantity', ['Show the number of seats', 'Show the quantity of seats'], 'Show the colour of seats'),
  row(
    'tree, hierarchy',
    ['Search the tree of folders', 'Search the hierarchy of folders'],
    'Search the list of folders',
  ),
  row(
    'larger than, bigger than, greater than, more than, above',
    ['Hosts above 10 GB', 'Hosts with more than 10 GB'],
    'Hosts with 10 GB',
  ),
  row('send, dispatch', ['Dispatch a parcel', 'Send a parcel'], 'Open a parcel'),
  row('larger, bigger, greater', ['Find bigger files', 'Find larger files'], 'Find smaller files'),
  row('replace, substitute', ['Replace the lamp', 'Substitute the lamp'], 'Buy the lamp'),
  row('book, reserve', ['Book a cabin', 'Reserve a cabin'], 'Clean a cabin'),
  row('put, place', ['Put it on the shelf', 'Place it on the shelf'], 'Find it on the shelf'),
  row('buy, purchase', ['Buy a stamp', 'Purchase a stamp'], 'Sell a stamp'),
  row('cancel, call off', ['Call off the trip', 'Cancel the trip'], 'Plan the trip'),
  row('schedule, arrange', ['Arrange a visit', 'Schedule a visit'], 'Describe a visit'),
  row('every, every single', ['Water every plant', 'Water every single plant'], 'Water a single plant'),
  row('called, named', ['A file named x', 'A file called x'], 'A file with x'),
];

const canonical = new Map<string, string>();
for (const { words } of synonyms) for (const word of words) canonical.set(word, words[0] as string);
canonical.set('directories', 'directory');

/** “Work out”, “call off” */
export function isSynonym(words: string): boolean {
  return canonical.has(words);
}

/** Longest first, as whole words, with an optional ending. */
const phrases = new RegExp(
  `(?<![\\p{L}\\p{N}])(${[...canonical.keys()].sort((a, b) => b.length - a.length).join('|')})(s|d|ed|ies)?(?![\\p{L}\\p{N}])`,
  'gu',
);

/** The words of a task that carry meaning, synonyms replaced by the canonical word. */
export function meaningWords(text: string): Set<string> {
  return new Set(countMeaningWords(text).keys());
}

function countMeaningWords(text: string): Map<string, number> {
  const plain = text.slice(0, maxChars).toLowerCase();
  return countContentWords(plain.replace(phrases, (_, words: string) => canonical.get(words) ?? words));
}
