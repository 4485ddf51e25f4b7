import { isStopWord } from '../words.js';
import { exceptionKindOf } from './exceptions.js';
import { taskWords } from './task-words.js';

const leadingClause = /^\s*([^.:!\n"'`]{1,80})[.:!]\s+(?=\S)/;
const mostClauses = 3;

/** The task without speaker label, greeting and preamble: an upload and a question lose the same. */
export function withoutOpening(text: string): string {
  return withoutPreamble(withoutGreeting(withoutSpeaker(text)));
}

const speakers = new Set('user human customer task instruction question observation system tool function'.split(' '));
const maxLabelChars = 20;

/** Drops a speaker label: `user: …`. */
export function withoutSpeaker(text: string): string {
  const colon = text.slice(0, maxLabelChars).indexOf(':');
  return speakers.has(text.slice(0, colon).trim().toLowerCase()) ? text.slice(colon + 1).trimStart() : text;
}

/** With a name, or a word such as “team”: more words belong to the task. */
const greeting =
  /^\s*(?:(?:[Hh]i|HI|[Hh]ello|HELLO|[Hh]ey|[Gg]reetings|[Gg]ood (?:morning|afternoon|evening))(?: (?:there|all|team|everyone|folks|again|\p{Lu}\p{L}[\p{L}.'’-]*)){0,2}|[Dd]ear(?:\s[\p{L}.'’-]+){1,2})(?:\s*[!,.:–—]\s|\s?\n|\s-\s)\s*(?=\S)/u;

/** Drops “Good morning! …” and “Dear Ann, …”, unless nothing else is left. */
function withoutGreeting(text: string): string {
  return text.replace(greeting, '');
}

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
  /^(?:\s*(?:(?:please|kindly|bitte|por favor|s['’]il (?:vous|te) pla[iî]t)(?![\p{L}'’])[\s,!]*|(?:can|could|would|will) you (?:please )?(?=\p{L})))+/iu;

/** “Please”, “Can you please”: they ask for what follows. */
export function withoutCourtesy(text: string): string {
  return withoutGreeting(text).replace(courtesies, '');
}

function saysNothing(clause: string): boolean {
  return taskWords(clause).every(
    ({ word, stem, isValue }) => !isValue && isStopWord(word) && exceptionKindOf(word, stem) === undefined,
  );
}
