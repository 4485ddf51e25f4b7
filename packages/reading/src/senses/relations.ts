import { isStopWord } from '../words.js';
import { phraseBefore, phraseFrom, stemOfWritten, type TaskWord } from './task-words.js';

/** An ordered pair in a task: source and destination, or first and second step. */
export interface Relation {
  kind: 'direction' | 'part' | 'order' | 'range';
  from: ReadonlySet<string>;
  to: ReadonlySet<string>;
  /** The word that expresses it. */
  said: string;
}

export const towards = new Set([
  'to',
  'into',
  'onto',
  'towards',
  'toward',
  '->',
  'nach',
  'vers',
  'hacia',
  'hasta',
  'para',
  'naar',
]);
export const away = new Set(['from', 'von', 'vom', 'depuis', 'desde', 'de', 'da', 'van']);
/** "Replace X with Y" counts as from X to Y. */
const exchanges = new Set('replace exchange swap substitute ersetze remplace reemplaza'.split(' ').map(stemOfWritten));
const substitute = stemOfWritten('substitute');
const exchangedBy = new Set(['with', 'by', 'for', 'durch', 'par', 'por', 'con']);
export const beforeWords = new Set(['before', 'until', 'till', 'bevor', 'vor', 'bis', 'avant', 'antes']);
export const afterWords = new Set(['after', 'since', 'nachdem', 'seit', 'apres', 'despues']);
/** "Trying to open": here "to" starts an infinitive rather than a destination. */
const leadsToVerb = new Set('try hope able order plan intend wish look sure ask'.split(' ').map(stemOfWritten));
const reach = 6;
const mostRelations = 40;

export function relationsOf(words: readonly TaskWord[]): Relation[] {
  const relations: Relation[] = [];
  for (let at = 0; at < words.length && relations.length < mostRelations; at++) {
    const { word, isValue } = words[at] as TaskWord;
    if (isValue) continue;
    const relation =
      towards.has(word) || exchangedBy.has(word) || word === 'a' ? directionAt(words, at) : orderAt(words, at);
    if (relation && relation.from.size > 0 && relation.to.size > 0) relations.push(relation);
  }
  return relations;
}

function directionAt(words: readonly TaskWord[], at: number): Relation | undefined {
  const said = words[at]?.word ?? '';
  const before = words[at - 1];
  if (
    said === 'to' &&
    before &&
    !before.isValue &&
    ((before.word.length > 1 && isStopWord(before.word)) || leadsToVerb.has(before.stem))
  )
    return undefined;
  const start = startOfClause(words, at);
  const origin = originIn(words, start, at);
  // In Spanish and French, "a" marks a destination only after an origin, as "para" does in Portuguese.
  if (['a', 'para', 'naar'].includes(said) && origin === undefined) return undefined;
  const exchanged = words.slice(start, at).findLastIndex(({ stem, isValue }) => !isValue && exchanges.has(stem));
  if (exchangedBy.has(said) && exchanged < 0) return undefined;
  const from = origin === undefined ? phraseBefore(words, at, reach) : fromPhrase(words, origin, at);
  const to = phraseFrom(words, at + 1, { most: reach });
  const isReversed = words[start + exchanged]?.stem === substitute && said === 'for';
  return { kind: 'direction', said, from: isReversed ? to.stems : from.stems, to: isReversed ? from.stems : to.stems };
}

function fromPhrase(words: readonly TaskWord[], origin: number, at: number) {
  return phraseFrom(words, origin + 1, { most: reach, endsAt: (place) => place === at });
}

/** The origin can precede or follow: "copy to b from a". */
function originIn(words: readonly TaskWord[], start: number, at: number): number | undefined {
  for (let before = at - 1; before >= start; before--) if (isAway(words[before])) return before;
  for (let behind = at + 1; behind < Math.min(words.length, at + reach); behind++) {
    if (isAway(words[behind])) return behind;
    if (words[behind]?.ends) return undefined;
  }
  return undefined;
}

function isAway(word: TaskWord | undefined): boolean {
  return word !== undefined && !word.isValue && away.has(word.word);
}

function orderAt(words: readonly TaskWord[], at: number): Relation | undefined {
  const { word } = words[at] as TaskWord;
  if (word === 'between') return rangeAt(words, at);
  if (word === 'from')
    return {
      kind: 'part',
      said: word,
      ...pair(phraseFrom(words, at + 1, { most: reach }), phraseBefore(words, at, reach)),
    };
  if (!beforeWords.has(word) && !afterWords.has(word)) return undefined;
  const right = phraseFrom(words, at + 1, { most: reach });
  const isFirst = beforeWords.has(word);
  const left = [
    () => phraseBefore(words, at, reach),
    // "After the backup, restart it", "Zahle, bevor du gehst": the other part is in the neighbouring clause.
    () => phraseFrom(words, right.end, { most: reach }),
    () => phraseBefore(words, at, reach, true),
  ].reduce((found, look) => (found.stems.size > 0 ? found : look()), { stems: new Set<string>(), end: at });
  return { kind: 'order', said: isFirst ? 'before' : 'after', ...(isFirst ? pair(left, right) : pair(right, left)) };
}

function rangeAt(words: readonly TaskWord[], at: number): Relation | undefined {
  const and = words.slice(at, at + reach).findIndex(({ word }) => word === 'and');
  if (and < 0) return undefined;
  const left = phraseFrom(words, at + 1, { most: and - 1 });
  return { kind: 'range', said: 'between', ...pair(left, phraseFrom(words, at + and + 1, { most: reach })) };
}

function pair(from: { stems: Set<string> }, to: { stems: Set<string> }) {
  return { from: from.stems, to: to.stems };
}

function startOfClause(words: readonly TaskWord[], at: number): number {
  let start = at;
  while (start > 0 && start > at - 2 * reach && !words[start - 1]?.ends) start--;
  return start;
}

export type Swap = 'swapped' | 'partly' | 'no';

/** Whether two relations are the same pair in opposite order. Words that both have in the same place are ignored. */
export function swapOf(a: Relation, b: Relation): Swap {
  if (a.kind !== b.kind) return 'no';
  const there = intersects(without(a.from, b.from), without(b.to, a.to));
  const back = intersects(without(a.to, b.to), without(b.from, a.from));
  if (there && back) return 'swapped';
  const isStraight = a.kind === 'order' && (intersects(a.from, b.from) || intersects(a.to, b.to));
  return (there || back) && !isStraight ? 'partly' : 'no';
}

function without(these: ReadonlySet<string>, those: ReadonlySet<string>): Set<string> {
  return new Set([...these].filter((stem) => !those.has(stem)));
}

function intersects(these: ReadonlySet<string>, those: ReadonlySet<string>): boolean {
  return [...these].some((stem) => those.has(stem));
}
