import type { Step } from '../read-steps.js';
import { factsInWords, factsOf } from '../records/record-facts.js';
import type { RunReading } from '../run-reading.js';
import { handOverReason } from './hand-over-reason.js';
import { statedRules } from './rule-sentences.js';
import { counted, fittingTitle, inOrder, named, type ToolWords } from './tool-words.js';

const twoRulesChars = 240;

/** Nothing was changed: by which rule it was declined, why it was handed over, or what it was answered from. */
export function readingWords(run: RunReading, calls: readonly Step[]): ToolWords {
  const handOver = calls.findLast(({ role }) => role === 'hand-over');
  const looks = calls.filter(({ role }) => role !== 'hand-over');
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  const rules = declineRules(replies, run.names, handOver !== undefined);
  const lookUp =
    looks.length > 0 ? `Look the case up first (${named(looks)}${recordWords(looks)})` : 'Look at the case first';
  if (rules.length > 0) {
    const ending = handOver ? `, change nothing and hand over with \`${handOver.action.name}\`` : ' and change nothing';
    return {
      title: `Decline where this holds: ${rules[0]}`,
      content: `${lookUp}. Where this holds, decline${ending}: ${rules.map((rule) => `“${rule}”`).join(' ')}`,
    };
  }
  if (handOver) return handOverWords(handOver, lookUp, run.names);
  if (replies.length > 0)
    return {
      title: fittingTitle([4, 2, 1].map((most) => `Look up with ${named(looks, most)} and tell the user`)),
      content: `Looking up (${named(looks)}) and telling the user what the records say settled it, and nothing was changed. Change something only on a clear yes.`,
      isVague: true,
    };
  return {
    title: fittingTitle([4, 2, 1].map((most) => inOrder([`answer from ${named(looks, most)}`]))),
    content: `Answer from ${counted(looks)}; nothing needs to be changed.`,
  };
}

/** How it stood with the one record that was looked up; of several, nobody knows which one mattered. */
function recordWords(looks: readonly Step[]): string {
  const facts = [...new Map(looks.map((look) => [look.action.text, factsOf(look)])).values()].filter(
    ({ size }) => size > 0,
  );
  const [only, ...others] = facts;
  return only && others.length === 0 ? `; here ${factsInWords(only)}` : '';
}

function handOverWords(handOver: Step, lookUp: string, names: ReadonlySet<string>): ToolWords {
  const { name } = handOver.action;
  const reason = handOverReason(handOver, names);
  if (reason === undefined)
    return {
      title: `Hand over with \`${name}\` and change nothing`,
      content: `${lookUp}. Handing over with \`${name}\` was the right end of this one, without any change before it.`,
      isVague: true,
    };
  return {
    title: `Hand over with \`${name}\`: ${reason}`,
    content: `${lookUp}. In a case like this change nothing and hand over with \`${name}\`: “${reason}”`,
  };
}

const refuses =
  /\b(?:cannot|can'?t|can only|unable|not (?:\w+ )?(?:allowed|possible|permitted|eligible|refundable|covered)|only|non-?\w+able|not be)\b/i;

/**
 * Rules by which something was not done; a second one where both are short. That the case was handed over shows that it was
 * declined; else the rule itself has to say no: what has to be so may be part of any answer.
 */
function declineRules(replies: readonly Step[], names: ReadonlySet<string>, handedOver: boolean): string[] {
  const [first, second] = statedRules(replies, names, 2)
    .map(({ text }) => text)
    .filter((text) => handedOver || refuses.test(text));
  if (first === undefined) return [];
  return second === undefined || first.length + second.length > twoRulesChars ? [first] : [first, second];
}
