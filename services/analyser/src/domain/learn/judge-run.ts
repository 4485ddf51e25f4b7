import type { RunTrail } from '@whetstone/contracts';

import { type Phrases, phrases, wordsIn } from './phrases.js';
import type { Step } from './steps.js';

export interface Verdict {
  outcome: RunTrail['outcome'];
  judged: boolean;
}

/** What a last result says about the whole run; each row with a text that it must match and one that it must not. */
export const verdictRows: readonly {
  outcome: 'success' | 'failure';
  /** `talk`: said by the person that the agent talks to. */
  by: 'environment' | 'talk';
  signs: Phrases;
  yes: string;
  no: string;
}[] = [
  {
    outcome: 'failure',
    by: 'environment',
    signs: phrases('reward ~1 0|0.0, # failed, # test|tests failed, test|tests|task failed, wrong|incorrect answer'),
    yes: '2 failed, 3 passed',
    no: '0 failed, 5 passed, reward: 0.7',
  },
  {
    outcome: 'success',
    by: 'environment',
    signs: phrases('reward ~1 1|1.0, all|# ~1 passed, task ~1 complete*|done|solved, correct answer'),
    yes: 'all tests passed',
    no: 'the test was past due, reward = 10',
  },
  {
    outcome: 'failure',
    by: 'talk',
    signs: phrases('still not|does|is|fails, didnt|doesnt|not work|help, not what i asked|wanted, useless'),
    yes: 'It still does not start.',
    no: 'It is still there, thanks.',
  },
  {
    outcome: 'success',
    by: 'talk',
    signs: phrases(
      'thats|that+is all|exactly|perfect, that worked|did+it|fixed+it, works now|great|fine, perfect ~1 thank*',
    ),
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
  const words = wordsIn(last.outcome.text.slice(-endChars));
  const by = last.action.kind === 'reply' ? 'talk' : 'environment';
  const row = verdictRows.find((each) => each.by === by && each.signs(words));
  const failed = last.outcome.kind === 'error' || (by === 'environment' && last.repeats);
  return { outcome: failed ? 'failure' : (row?.outcome ?? 'unknown'), judged: true };
}
