import type { Insight } from '@whetstone/contracts';

import { withPlainApostrophes } from '../bounded-text.js';
import type { Step } from '../read-steps.js';
import type { RunReading } from '../run-reading.js';
import { asksForYes, isConsent, isGoAhead, isRefusal } from '../talk/consent.js';
import { isRequest } from '../talk/conversation.js';

const saysDone =
  /\bI(?:'ve| have) (?:now |just |successfully |already )*(?!found|located|checked|looked|received|noted|verified|seen|reviewed|retrieved|identified)\w+ed\b|\bhas been (?:successfully )?\w+ed\b/;

/** The user said yes to what was proposed, and the agent ended, asked once more, or said that it was done: no call followed. */
export function unusedYesLesson(run: RunReading): Insight | undefined {
  const at = run.deeds.findLastIndex(isGoAhead);
  const yes = run.deeds[at];
  const after = run.deeds.slice(at + 1);
  if (!yes || after.some((step) => step.action.kind !== 'reply' || isRefusal(step))) return undefined;
  const [next] = after;
  const claimed = next !== undefined && saysDone.test(withPlainApostrophes(next.action.text.slice(0, 400)));
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

const takesLeave =
  /\b(?:thanks|thank you|bye|that'?s all|that is all|keep it|never ?mind|later|forget it|danke|tschüss|merci|au revoir|gracias|adiós|grazie|obrigad[oa])(?!\p{L})|ありがとう|谢谢|감사/iu;

/** The run ended on a question to the user, and nothing had been done. */
export function openQuestionLesson(run: RunReading): Insight | undefined {
  const last = run.deeds.at(-1);
  const looks = run.deeds.filter(({ action, role }) => action.kind === 'tool' && role === 'look');
  const acted = run.deeds.some(({ role }) => role === 'change' || role === 'hand-over');
  if (!last || acted || looks.length === 0 || unusedYesLesson(run)) return undefined;
  if (!isRequest(last) && !asksForYes(last) && !/\?\s*$/.test(last.action.text)) return undefined;
  if (takesLeave.test(last.outcome.text.slice(0, 300))) return undefined;
  const questions = run.deeds.filter((step) => isRequest(step) || asksForYes(step)).length;
  return {
    kind: 'pitfall',
    title: 'Do not end on a question with nothing done',
    appliesWhen: 'several details are missing before a change can be made',
    content: `The run ended on a question to the user${questions > 1 ? `, the ${ordinal(questions)} of them` : ''}, with nothing done, and failed. Take from the records what they show, ask for everything else at once, and make the call as soon as the user has agreed.`,
    steps: [],
    polarity: 'failure',
    evidence: [last.turn],
    confidence: 0.35,
  };
}

function ordinal(count: number): string {
  return ['second', 'third', 'fourth', 'fifth', 'sixth'][count - 2] ?? `${count}th`;
}
