import type { Interaction, RunTrail, TrailStep } from '@whetstone/contracts';
import { clip, headAndTail, type Literal, objectsOf, oneLine, withoutOpening } from '@whetstone/reading';

import type { OutcomeKind } from './outcome.js';
import { type Phrases, phrases, wordsIn } from './phrases.js';
import { deedsOf, readSteps, type Step } from './steps.js';

/** A parsed run, from which lessons are made. */
export interface RunReading {
  intent: string;
  steps: readonly Step[];
  /** Steps without thoughts and without the final `finish`. */
  deeds: readonly Step[];
  /** The step that submitted the final answer. */
  answer?: Step;
  /** The call that transferred the conversation to somebody else at the end. */
  handover?: Step;
  outcome: RunTrail['outcome'];
  judged: boolean;
}

export function readRun(interaction: Interaction): RunReading {
  const steps = readSteps(interaction);
  const last = steps.findLast(({ action }) => action.kind === 'finish');
  const deeds = deedsOf(steps);
  const handover = handoverIn(deeds);
  return {
    intent: taskIntent(interaction),
    steps,
    deeds,
    ...(handover ? { handover } : {}),
    ...(last?.action.args?.['answer'] === undefined ? {} : { answer: last }),
    ...judgeRun(interaction.success, steps),
  };
}

const minProseWords = 4;

/** A final call with nothing but prose arguments, `escalate({"reason": "…"})`, hands over and changes nothing. */
function handoverIn(deeds: readonly Step[]): Step | undefined {
  const last = deeds.findLast(({ action }) => action.kind === 'call');
  const values = Object.values(last?.action.args ?? {});
  const isTalk = last?.role === 'change' && deeds.some(({ role }) => role === 'talk');
  return isTalk && values.length > 0 && values.every(isProse) ? last : undefined;
}

/** A document of some language has words, too, between braces. */
function isProse(value: Literal): boolean {
  return (
    typeof value === 'string' && !value.includes('{') && (value.match(/(?<!\S)\p{L}+/gu) ?? []).length >= minProseWords
  );
}

export function whyUnteachable({ deeds, answer, intent }: RunReading): string | undefined {
  if (!isInformative(intent)) return 'the upload does not describe a task';
  return deeds.length === 0 && !answer ? 'the turns contain no action' : undefined;
}

const maxSteps = 40;
const actionChars = 300;
const noteChars = 160;
const maxNames = 16;
const nameChars = 60;

const outcomes: Record<OutcomeKind, TrailStep['outcome']> = {
  ok: 'ok',
  error: 'error',
  silent: 'unknown',
  unknown: 'unknown',
};

/** A summary for comparing runs; keeps the first and the last steps, which matter most. */
export function runTrail({ steps, deeds, handover, outcome, judged }: RunReading): RunTrail {
  const clean = deeds.filter((step) => step.role !== 'talk' && step.outcome.kind !== 'error');
  const kept =
    steps.length <= maxSteps ? steps : [...steps.slice(0, maxSteps / 4), ...steps.slice(-(maxSteps * 3) / 4)];
  return {
    outcome,
    judged,
    uses: namesOf(clean.flatMap(({ action }) => objectsOf(action))),
    changes: namesOf(
      clean.filter((step) => isChange(step) && step !== handover).map(({ action }) => action.verb),
    ).sort(),
    steps: kept.map(trailStep),
  };
}

/** Only calls and requests: their names are comparable between tasks, commands and queries are not. */
function isChange({ action: { kind }, role }: Step): boolean {
  return role === 'change' && (kind === 'call' || kind === 'http');
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => clip(oneLine(name), nameChars)))].slice(-maxNames);
}

function trailStep({ turn, action, outcome }: Step): TrailStep {
  const note = oneLine((outcome.error ?? outcome.text).slice(0, 2 * noteChars));
  return {
    turn,
    action: clip(oneLine(action.text.slice(0, 2 * actionChars)), actionChars),
    outcome: outcomes[outcome.kind],
    ...(note === '' ? {} : { note: clip(note, noteChars) }),
  };
}

const keptAtEachEnd = 10_000;
const fillers = new Set(
  'hi hello hey help test continue go on start begin yes no ok okay please thanks thank you'.split(' '),
);

/** The task in the caller's words; if the query says nothing, the first input of the agent that does. */
export function taskIntent({ query, turns }: Interaction): string {
  const asked = cleaned(query);
  if (isInformative(asked)) return asked;
  return (
    turns
      .slice(0, 5)
      .map(({ inputs }) => cleaned(inputs))
      .find(isInformative) ?? asked
  );
}

export function isInformative(text: string): boolean {
  return wordsIn(text.slice(0, 200)).some((word) => word.length > 1 && !fillers.has(word));
}

function cleaned(text: string): string {
  return oneLine(withoutOpening(headAndTail(text.trim(), keptAtEachEnd, keptAtEachEnd)));
}

interface Verdict {
  outcome: RunTrail['outcome'];
  judged: boolean;
}

/** Signs in the last result for the outcome of the run; `yes` must match, `no` must not. */
export const verdictRows: readonly {
  outcome: 'success' | 'failure';
  /** `talk`: said by the user. */
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
 * How the run ended, as reported by the caller or else as clearly shown by the last turn. The absence of errors does
 * not prove success: without a sign the outcome is unknown.
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
