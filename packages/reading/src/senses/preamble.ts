import { isStopWord } from '../words.js';
import { exceptionKindOf } from './exceptions.js';
import { taskWords } from './task-words.js';

const leadingClause = /^\s*([^.:!\n"'`]{1,80})[.:!]\s+(?=\S)/;
const mostClauses = 3;

/** Drops leading clauses that say nothing about the task: “Your task is the following.”, “Please do this:”. */
export function withoutPreamble(text: string): string {
  let rest = text;
  for (let clauses = 0; clauses < mostClauses; clauses++) {
    const [whole, clause = ''] = leadingClause.exec(rest.slice(0, 200)) ?? [];
    if (whole === undefined || !saysNothing(clause)) return rest;
    rest = rest.slice(whole.length);
  }
  return rest;
}

const courtesies =
  /^(?:\s*(?:(?:hi|hello|hey)(?: there)?[,!.]+\s*|(?:please|kindly|bitte|por favor|s['’]il (?:vous|te) pla[iî]t)(?![\p{L}'’])[\s,!]*|(?:can|could|would|will) you (?:please )?(?=\p{L})))+/iu;

/** “Please”, “Can you please”: they ask for what follows. */
export function withoutCourtesy(text: string): string {
  return text.replace(courtesies, '');
}

function saysNothing(clause: string): boolean {
  return taskWords(clause).every(
    ({ word, stem, isValue }) => !isValue && isStopWord(word) && exceptionKindOf(word, stem) === undefined,
  );
}
