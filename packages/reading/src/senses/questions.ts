import { plain } from './task-words.js';

const openers = new Set(
  'who whose whom why what which when where how is are was were did does has had should shall must'.split(' '),
);
/** Also verbs, or words of other languages: a question only with its mark. */
const openersWithMark = new Set(
  (
    'do have am can could may might will would wer wessen wem wen warum wieso weshalb wann wo welche welcher welches wurde wurden ist sind hat haben ' +
    'qui pourquoi quand quel quelle quels quelles combien est sont ont quien quienes por cuando donde cual cuales cuanto cuantos que'
  ).split(' '),
);
/** "When the disk is full, …" is a condition. */
const conditions = new Set(['when', 'where']);
const courtesies = /^(?:(?:please|hi|hello|hey|and|but|so|also|then|ok|well)\b[\s,]*)+/;
/** "How do I", "what should I do to", "can you", "is it possible": these ask for the thing itself. */
const requests =
  /^(?:(?:how|what|where) (?:do|can|could|should|would|might|must|to)\b|(?:can|could|may|might|will|would) (?:you|i)\b|is it possible|(?:is|are) there (?:a|an|any) ways?\b)/;

/** "Check whether it runs" */
const embedded = /^(?:check|see|verify|confirm|ask|find out|tell me|let me know) (?:if|whether)\b/;

/** "The customer asks whether it is possible", "Ann Hill wants information on refunds" */
const reported =
  /^(?:[\p{L}\p{N}.#-]+ ){1,6}(?:(?:asks?|asked|is asking|wonders?|inquires?|enquires?|(?:wants?|would like) to know) (?:if|whether|about|what|when|which|who|why)|(?:asks? for|wants?|needs?|would like) (?:more )?information)\b/u;

/** Whether a task asks about facts: "Who deleted it?", but neither "How do I delete it?" nor "Can you delete it?" */
export function asksForFacts(text: string): boolean {
  return plain(text.slice(0, 4_000))
    .split(/(?<=[.!?:;])\s+|\n/)
    .some(isFactual);
}

function isFactual(sentence: string): boolean {
  const asked = sentence
    .trim()
    .replace(/^[¿"'(]+/, '')
    .replace(courtesies, '');
  if (embedded.test(asked) || reported.test(asked)) return true;
  const hasMark = /\?\W*$/.test(asked);
  if (hasMark && /, *why\W+$/.test(asked)) return true;
  const [first = ''] = asked.split(/[^\p{L}]/u, 1);
  if (requests.test(asked) || (conditions.has(first) && asked.includes(','))) return false;
  return openers.has(first) || (hasMark && openersWithMark.has(first));
}
