import type { Insight } from '@whetstone/contracts';

import { clip } from '../bounded-text.js';
import { differenceBetween } from '../compare-actions.js';
import { describeCommand } from '../describe-command.js';
import { findRecoveries, type Recovery } from '../find-recoveries.js';
import { generaliseError } from '../generalise.js';
import { exampleOf, quote, type RunReading } from '../run-reading.js';
import { isBrokenByFormat } from './format-lesson.js';

const genericErrors = new Set(['refused', 'not-found']);

/** An error, and what got past it. Of several the one that tells most: known kind of error, several tries, latest. */
export function recoveryLesson(run: RunReading): Insight | undefined {
  const recoveries = findRecoveries(run.deeds).filter(({ failed }) => !isBrokenByFormat(failed));
  const best = recoveries.reduce<Recovery | undefined>(
    (chosen, next) => (chosen && weight(chosen) > weight(next) ? chosen : next),
    undefined,
  );
  if (!best) return undefined;

  const { failed, worked, tries } = best;
  const error = generaliseError(failed.outcome.error ?? '', failed.action.name, 140);
  const difference = differenceBetween(failed.action, worked.action);
  const what = nameOf(failed.action);
  const how = difference ?? describedIn(worked.action) ?? `${nameOf(worked.action)}, done differently`;
  const advice = difference === undefined && failed.outcome.errorClass ? ` ${failed.outcome.errorClass.advice}` : '';
  return {
    kind: 'recovery',
    title: clip(`When ${what} says ${quote(error, 80)}: ${how}`, 160),
    appliesWhen: `${what} answers ${quote(error, 100)}`,
    content: `${what} failed${tries > 1 ? ` ${tries} times` : ''} with ${quote(error)}. What worked: ${how}.${advice}`,
    steps: [],
    example: exampleOf(worked.action),
    polarity: run.outcome === 'failure' ? 'failure' : 'success',
    evidence: [failed.turn, worked.turn],
    confidence: run.outcome === 'success' ? 0.75 : 0.45,
  };
}

function weight({ failed, tries }: Recovery): number {
  const known = failed.outcome.errorClass;
  return (known ? (genericErrors.has(known.id) ? 1 : 2) : 0) + Math.min(tries, 4) * 0.5;
}

function nameOf(action: Recovery['failed']['action']): string {
  if (action.kind === 'shell') return `\`${action.name}\``;
  return action.kind === 'sql' ? 'The query' : action.kind === 'code' ? 'The script' : `\`${action.name}\``;
}

function describedIn(action: Recovery['worked']['action']): string | undefined {
  if (action.kind !== 'shell') return undefined;
  const { title } = describeCommand(action.text);
  return title === '' ? undefined : title;
}
