import type { RunTrail } from '@whetstone/contracts';

import type { Step } from './read-steps.js';

export interface Verdict {
  outcome: RunTrail['outcome'];
  judged: boolean;
}

const done =
  /(?:^|\b)(?:task (?:is )?(?:completed|complete|done|solved)|reward:? ?1(?:\.0)?\b(?!\.?\d)|all (?:\d+ )?tests? (?:pass|passed|ok)|\d+ passed|test result: ok|success(?:fully)? (?:submitted|completed)|correct answer)/i;
const notDone =
  /(?:^|\b)(?:task failed|reward:? ?0(?:\.0)?\b(?!\.?\d)|[1-9]\d* failed|tests? failed|incorrect answer|wrong answer|not (?:correct|solved)|gave up|maximum (?:number of )?(?:steps|turns|iterations) )/i;
const contented =
  /\b(?:that(?:'s| is) (?:all|exactly|perfect|great)|that (?:worked|fixed it|did it|solved it)|works (?:now|great|perfectly)|(?<!\b(?:if|whether|how|think|hope|sure|until|once) )it works|problem solved|perfect,? thank)/i;
const discontented =
  /\b(?:still (?:not|doesn'?t|isn'?t|fails)|didn'?t (?:work|help)|doesn'?t work|not what i (?:asked|wanted)|that'?s wrong|this is useless|not helpful|speak to (?:a )?(?:human|manager))\b/i;

/**
 * How the run ended: the caller's word, or what the last turns plainly say. That nothing complained is not evidence of
 * success; where nothing tells, the outcome stays unknown.
 */
export function judgeRun(success: boolean | undefined, steps: readonly Step[]): Verdict {
  if (success !== undefined) return { outcome: success ? 'success' : 'failure', judged: false };
  return { outcome: judgedOutcome(steps), judged: true };
}

function judgedOutcome(steps: readonly Step[]): RunTrail['outcome'] {
  const last = steps.at(-1);
  if (!last) return 'unknown';
  const end = last.outcome.text.slice(-1_500);
  if (last.action.kind === 'reply') {
    if (discontented.test(end)) return 'failure';
    return contented.test(end) ? 'success' : 'unknown';
  }
  if (notDone.test(end)) return 'failure';
  if (last.outcome.kind === 'error' || last.repeats) return 'failure';
  return done.test(end) ? 'success' : 'unknown';
}
