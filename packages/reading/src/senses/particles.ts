import { isJoin, isLink, type TaskWord } from './task-words.js';

/** They change what a verb does, wherever they stand: "roll back", "roll it out", "scale up by 5". */
const always = new Set('up down out off back away over again forward by'.split(' '));
/** Prepositions, unless nothing follows that they could belong to: "check it in", "turn the light on". */
const atEnd = new Set(['in', 'on']);

export function particlesOf(words: readonly TaskWord[]): Set<string> {
  const found = words.filter((word, at) => !word.isValue && (always.has(word.word) || isAtEnd(words, at)));
  return new Set(found.map(({ word }) => word));
}

function isAtEnd(words: readonly TaskWord[], at: number): boolean {
  const { word = '', ends } = words[at] ?? {};
  const next = words[at + 1];
  return atEnd.has(word) && (ends || next === undefined || isLink(next) || isJoin(next));
}
