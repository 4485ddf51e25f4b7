import { wordsOfName } from '../actions/action-role.js';
import type { Step } from '../read-steps.js';

/** Verbs of tools, each with how people ask for what these do. */
const saidAs: readonly [verbs: RegExp, said: RegExp][] = [
  [
    /^(?:modify|update|change|edit|adjust|set|correct|amend|move|switch)$/,
    /\b(?:modif|updat|chang|edit|adjust|correct|amend|mov(?:e|ing)\b|switch|fix|add(?:ing)?\b|upgrad|downgrad|renam)/i,
  ],
  [
    /^(?:cancel|delete|remove|end|close|stop|terminate|revoke)$/,
    /\b(?:cancel|delet|remov|end (?:it|the|my)|clos(?:e|ing)\b|stop|terminat|revok|get rid of)/i,
  ],
  [
    /^(?:book|reserve|order|create|schedule|buy|purchase|open|register|add|make|place)$/,
    /\b(?:book|reserv|order|creat|schedul|buy|purchas|open|register|sign up|add(?:ing)?\b)/i,
  ],
  [/^(?:return|refund)$/, /\b(?:return|refund|(?:send|sending|give|giving|bring|bringing) .{0,30}back\b|money back)/i],
  [/^(?:exchange|swap|replace|substitute)$/, /\b(?:exchang|swap|replac|substitut|trade)/i],
  [/^(?:renew|extend|prolong)$/, /\b(?:renew|exten[ds]|prolong|longer|keep)/i],
  [
    /^(?:send|issue|grant|give|pay|transfer|submit)$/,
    /\b(?:send|issu|grant|pay|transfer|submit|compensat|voucher|certificate)/i,
  ],
];
const fewestWords = 5;
const answerChars = 1_500;
const doubtful = /\b(?:no|not|if|might|maybe|instead)\b|n't\b|\?$/i;

/**
 * The sentence in which the user asked for what was then done, where the task does not ask for that: a conversation often opens with
 * a greeting or a side question, or turns to something else when the first wish cannot be met.
 */
export function askedFor(task: string, deeds: readonly Step[]): string | undefined {
  const at = deeds.findIndex(
    ({ action, role, outcome }) => action.kind === 'tool' && role === 'change' && outcome.kind !== 'error',
  );
  const [verb = ''] = wordsOfName(deeds[at]?.action.name ?? '');
  const said = saidFor(verb);
  if (!said || said.test(task)) return undefined;
  const asking = deeds
    .slice(0, at)
    .filter(({ action }) => action.kind === 'reply')
    .flatMap(({ outcome }) => sentencesOf(outcome.text))
    .filter((sentence) => said.test(sentence));
  return asking.find((sentence) => !doubtful.test(sentence)) ?? asking[0];
}

/** For a verb that is not known, the verb itself. */
function saidFor(verb: string): RegExp | undefined {
  const [, said] = saidAs.find(([verbs]) => verbs.test(verb)) ?? [];
  return said ?? (/^[a-z]{4,20}$/.test(verb) ? new RegExp(`\\b${verb.replace(/e$/, '')}`, 'i') : undefined);
}

function sentencesOf(answer: string): string[] {
  return answer
    .slice(0, answerChars)
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.split(' ').length >= fewestWords);
}
