import { isStopWord } from '@whetstone/reading';

import { meaningWords, type Task, type Token } from './task-words.js';

interface Wordings {
  task: Task;
  past: Task;
  /** Further past tasks; read only if the place may vary. */
  others(): readonly Task[];
}

/**
 * Whether a third task has the wording of both, and another word in this place: "the builds of pipeline mistral", "… bora". The
 * first word of a clause is what is to be done.
 */
export function isSlot(at: number, { task, past, others }: Wordings): boolean {
  const [now, then] = [task.tokens[at], past.tokens[at]];
  if (!mayVary(now, task) || !mayVary(then, past)) return false;
  const isOfWording = ({ tokens }: Task) =>
    tokens.length === past.tokens.length &&
    past.tokens.every(({ text }, place) => tokens[place]?.text === text || task.tokens[place]?.text !== text);
  return others().some((other) => {
    const word = other.tokens[at]?.word;
    return word !== undefined && word !== then?.word && word !== now?.word && isOfWording(other);
  });
}

function mayVary(token: Token | undefined, { wishes }: Task): boolean {
  if (token?.kind !== 'word' || isStopWord(token.word)) return false;
  return ![...meaningWords(token.text)].some((stem) => wishes().has(stem));
}
