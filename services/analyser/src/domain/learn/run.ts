import type { Interaction, RunTrail, TrailStep } from '@whetstone/contracts';
import { clip, type Literal, objectsOf, oneLine } from '@whetstone/reading';

import { judgeRun } from './judge-run.js';
import type { OutcomeKind } from './outcome.js';
import { deedsOf, readSteps, type Step } from './steps.js';
import { isInformative, taskIntent } from './task-intent.js';

/** A run as it was read: what every lesson is made from. */
export interface RunReading {
  intent: string;
  steps: readonly Step[];
  /** Steps without thoughts, and without saying that it is done. */
  deeds: readonly Step[];
  /** The step that handed in an answer at the end. */
  answer?: Step;
  /** The call that handed a conversation over to somebody else at the end. */
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

const fewestWordsOfProse = 4;

/** A conversation that ends with a call which is given words alone, `escalate({"reason": "…"})`, changed nothing by it. */
function handoverIn(deeds: readonly Step[]): Step | undefined {
  const last = deeds.findLast(({ action }) => action.kind === 'call');
  const given = Object.values(last?.action.args ?? {});
  const isTalk = last?.role === 'change' && deeds.some(({ role }) => role === 'talk');
  return isTalk && given.length > 0 && given.every(isProse) ? last : undefined;
}

function isProse(value: Literal): boolean {
  return typeof value === 'string' && (value.match(/(?<!\S)\p{L}+/gu) ?? []).length >= fewestWordsOfProse;
}

/** Why no lesson can come of a run, whatever happened in it. */
export function unteachableBecause({ deeds, answer, intent }: RunReading): string | undefined {
  if (!isInformative(intent)) return 'the upload does not say what the task was';
  return deeds.length === 0 && !answer ? 'the turns contain no action' : undefined;
}

const maxSteps = 40;
const actionChars = 300;
const noteChars = 160;
const mostNames = 16;
const nameChars = 60;

const outcomes: Record<OutcomeKind, TrailStep['outcome']> = {
  ok: 'ok',
  error: 'error',
  silent: 'unknown',
  unknown: 'unknown',
};

/** The run in short, for comparing it with others: the first steps and the last, since both decide. */
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

/** Of a run with calls or requests, what it changed is how it ended; commands and queries differ in every task. */
function isChange({ action: { kind }, role }: Step): boolean {
  return role === 'change' && (kind === 'call' || kind === 'http');
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => clip(oneLine(name), nameChars)))].slice(-mostNames);
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
