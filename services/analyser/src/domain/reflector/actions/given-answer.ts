import type { Step } from '../read-steps.js';

const verbs = 'submit|finish|done|exit|stop|end|complete|terminate|quit|answer|final[ _]?answer';
const finishing = new RegExp(`^(?:${verbs})\\b\\s*(?:$|[[(:])`, 'i');
/** `submit flag{…}`: one word behind it, or it is the beginning of a sentence. */
const handingIn = /^(?:submit|finish|answer)[ \t]+\S+$/i;
/** Agents that can do nothing but run commands say by one that they are done. */
const announcing = /^echo ['"]?[A-Z_]{0,40}(?:SUBMIT|COMPLETE|FINISH|FINAL|DONE)[A-Z_]{0,40}\b/;
const beginning = new RegExp(`^(?:${verbs})\\b`, 'i');
const onlyThatItIsDone = /^(?:answer )?(?:done|ok|okay|finished|completed?|success(?:ful(?:ly)?)?|none|null|n a)?$/i;
/** An essay is no answer to give again. */
const mostChars = 300;

/** Whether a decision ends the run, with an answer or without. */
export function isFinishing(text: string): boolean {
  return endsInWords(text) || announcing.test(text);
}

function endsInWords(text: string): boolean {
  return finishing.test(text) || handingIn.test(text);
}

/** Whether it ends the run by handing in an answer, as `finish[42]` does and `finish[done]` does not. */
export function handsInAnswer(text: string): boolean {
  const bounded = text.trim().slice(0, mostChars + 1);
  if (bounded.length > mostChars || !endsInWords(bounded)) return false;
  const said = bounded.replace(beginning, '').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return !onlyThatItIsDone.test(said.trim());
}

/** The step that handed in the answer of a run: to the same question nothing helps another attempt more. */
export function givenAnswer(steps: readonly Step[]): Step | undefined {
  const last = steps.findLast(({ action }) => action.kind === 'finish');
  return last && handsInAnswer(last.action.text) ? last : undefined;
}
