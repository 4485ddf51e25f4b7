import type { RunTrail } from '@whetstone/contracts';

import type { Step } from './steps.js';

export interface Verdict {
  outcome: RunTrail['outcome'];
  judged: boolean;
}

/** What a last result says about the whole run; each row with a text that it must match and one that it must not. */
export const verdictRows: readonly {
  says: 'success' | 'failure';
  /** `talk`: said by the person that the agent talks to. */
  by: 'environment' | 'talk';
  pattern: RegExp;
  yes: string;
  no: string;
}[] = [
  {
    says: 'failure',
    by: 'environment',
    pattern: /\breward\W{1,3}0(?:\.0+)?(?![\d.])/i,
    yes: 'reward: 0.0',
    no: 'reward: 0.7',
  },
  {
    says: 'failure',
    by: 'environment',
    pattern: /\b[1-9]\d* (?:tests? )?failed\b|\b(?:tests?|task) failed\b|\b(?:wrong|incorrect) answer\b/i,
    yes: '2 failed, 3 passed',
    no: '0 failed, 5 passed',
  },
  {
    says: 'success',
    by: 'environment',
    pattern: /\breward\W{1,3}1(?:\.0+)?(?![\d.])/i,
    yes: 'reward = 1',
    no: 'reward = 10',
  },
  {
    says: 'success',
    by: 'environment',
    pattern: /\b(?:\d+|all) (?:tests? )?passed\b|\btask (?:is )?(?:completed?|done|solved)\b|\bcorrect answer\b/i,
    yes: 'all tests passed',
    no: 'the test was past due',
  },
  {
    says: 'failure',
    by: 'talk',
    pattern:
      /\b(?:still (?:not|does|is|fails)|(?:didn'?t|doesn'?t|did not|does not) (?:work|help)|not what i (?:asked|wanted)|useless)\b/i,
    yes: 'It still does not start.',
    no: 'It is still there, thanks.',
  },
  {
    says: 'success',
    by: 'talk',
    pattern:
      /\b(?:that(?:'s| is) (?:all|exactly|perfect)|that (?:worked|did it|fixed it)|works (?:now|great|fine)|perfect,? thank)/i,
    yes: 'That worked, thank you.',
    no: 'That is odd.',
  },
];

const endChars = 1_500;

/**
 * How the run ended: the caller's word, or what the last turn plainly says. That nothing complained is no evidence of
 * success; where nothing tells, the outcome stays unknown.
 */
export function judgeRun(success: boolean | undefined, steps: readonly Step[]): Verdict {
  if (success !== undefined) return { outcome: success ? 'success' : 'failure', judged: false };
  const last = steps.at(-1);
  if (!last) return { outcome: 'unknown', judged: true };
  const end = last.outcome.text.slice(-endChars);
  const by = last.action.kind === 'reply' ? 'talk' : 'environment';
  const row = verdictRows.find((each) => each.by === by && each.pattern.test(end));
  const failed = last.outcome.kind === 'error' || (by === 'environment' && last.repeats);
  return { outcome: failed ? 'failure' : (row?.says ?? 'unknown'), judged: true };
}
