import type { RunTrail, TrailStep } from '@whetstone/contracts';

import { clip, oneLine } from './bounded-text.js';
import type { OutcomeKind } from './read-outcome.js';
import type { Step } from './read-steps.js';
import type { RunReading } from './run-reading.js';
import { usesOf } from './run-uses.js';

const maxSteps = 40;
const actionChars = 300;
const noteChars = 160;

const outcomes: Record<OutcomeKind, TrailStep['outcome']> = {
  ok: 'ok',
  error: 'error',
  silent: 'unknown',
  unknown: 'unknown',
};

/** The run in short, for comparing it with others: the first steps and the last, since both decide. */
export function runTrail(run: RunReading): RunTrail {
  const { steps, outcome, judged } = run;
  const kept =
    steps.length <= maxSteps ? steps : [...steps.slice(0, maxSteps / 4), ...steps.slice(-(maxSteps * 3) / 4)];
  return { outcome, judged, uses: usesOf(run), steps: kept.map(trailStep) };
}

function trailStep({ turn, action, outcome, label }: Step): TrailStep {
  const named = label === undefined ? action.text : `${action.text} (${label})`;
  const note = oneLine((outcome.error ?? outcome.text).slice(0, 2 * noteChars));
  return {
    turn,
    action: clip(oneLine(named.slice(0, 2 * actionChars)), actionChars),
    outcome: outcomes[outcome.kind],
    ...(note === '' ? {} : { note: clip(note, noteChars) }),
  };
}
