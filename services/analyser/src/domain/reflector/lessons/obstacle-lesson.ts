import type { Insight } from '@whetstone/contracts';

import { capitalised, clip } from '../bounded-text.js';
import { findRecoveries } from '../find-recoveries.js';
import type { Step } from '../read-steps.js';
import { readsRecordOf } from '../records/record-facts.js';
import { quote, type RunReading, tasksLike } from '../run-reading.js';
import { exampleOf } from './example-of.js';
import { adviceOn, failingPart } from './failing-part.js';
import { isBrokenByFormat } from './format-lesson.js';

/** The error that a failed run ended at, how often it came, and what to do about its kind. */
export function obstacleLesson(run: RunReading): Insight | undefined {
  const passed = new Set(findRecoveries(run.deeds).map(({ failed }) => failed.outcome.errorClass?.id));
  const errors = run.deeds.filter((step) => step.outcome.kind === 'error' && !isBrokenByFormat(step));
  const last = errors.at(-1);
  if (!last || (passed.has(last.outcome.errorClass?.id) && run.deeds.at(-1) !== last)) return undefined;

  const same = errors.filter((step) => kindOf(step) === kindOf(last));
  const forms = new Set(same.map(({ action }) => action.text)).size;
  const { called: what, isPlural, error } = failingPart(last);
  const advice = adviceFor(last, run.deeds);
  return {
    kind: 'pitfall',
    title: clip(`${capitalised(what)} ${isPlural ? 'end' : 'ends'} in ${quote(error, 90)}`, 160),
    ...tasksLike(run),
    content: `${capitalised(what)} ended in ${quote(error)}${times(same.length, forms)}, and the run failed. ${advice}`,
    steps: [],
    example: exampleOf(last.action),
    polarity: 'failure',
    evidence: same.slice(-6).map(({ turn }) => turn),
    confidence: same.length > 1 ? 0.6 : 0.45,
  };
}

function adviceFor(failed: Step, deeds: readonly Step[]): string {
  const advice = adviceOn(failed) ?? 'Do something else instead of trying variants of the same.';
  if (failed.outcome.errorClass?.id !== 'condition') return advice;
  const reader = deeds.find((step) => readsRecordOf(step, failed));
  return reader
    ? `The message names the condition: look it up before this call (\`${reader.action.name}\` reads that record), and take the call that fits it.`
    : advice;
}

/** Two tools complain of two things, even where the kind of error is the same. */
function kindOf({ outcome, action }: Step): string {
  const speaker = action.kind === 'tool' ? action.name : action.kind;
  return `${speaker} ${outcome.errorClass?.id ?? outcome.error ?? ''}`;
}

function times(count: number, forms: number): string {
  if (count < 2) return '';
  return forms < 2 ? ` ${count} times, unchanged` : ` ${count} times, in ${forms} forms`;
}
