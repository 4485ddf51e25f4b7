import type { Insight } from '@whetstone/contracts';

import { asksForYes, isConsent, isGoAhead } from '../consent.js';
import type { Step } from '../read-steps.js';
import type { RunReading } from '../run-reading.js';

const saysDone =
  /\bI(?:'ve| have) (?:now |just |successfully |already )*(?!found|located|checked|looked|received|noted|verified|seen|reviewed|retrieved|identified)\w+ed\b|\bhas been (?:successfully )?\w+ed\b/;

/** The user said yes to what was proposed, and the agent ended, asked once more, or said that it was done: no call followed. */
export function unusedYesLesson(run: RunReading): Insight | undefined {
  const at = run.deeds.findLastIndex(isGoAhead);
  const yes = run.deeds[at];
  const after = run.deeds.slice(at + 1);
  if (!yes || after.some(({ action }) => action.kind !== 'reply')) return undefined;
  const [next] = after;
  const claimed = next !== undefined && saysDone.test(next.action.text.slice(0, 400).replaceAll('’', "'"));
  if (next && !claimed && !asksForYes(next)) return undefined;
  const asked = run.deeds.filter(isConsent).length;
  return {
    kind: 'pitfall',
    title: claimed ? 'Do not say that it is done without the call that does it' : "Act at once on the user's yes",
    appliesWhen: 'the user says yes to a change that the agent has proposed',
    content: `The user said yes to what the agent had proposed, and ${claimed ? 'the agent said that it was done without any call' : `no call followed${askedAgain(asked, next)}`}; the run failed. Collect every detail first, ask once for a yes to everything, and when it comes make the calls at once, before any other word.`,
    steps: [],
    polarity: 'failure',
    evidence: [yes.turn, ...(next ? [next.turn] : [])],
    confidence: 0.5,
  };
}

function askedAgain(times: number, next: Step | undefined): string {
  if (next) return ' but another question';
  return times > 2 ? `, after ${times} questions that each got one` : '';
}
