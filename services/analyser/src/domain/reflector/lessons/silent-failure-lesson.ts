import type { Insight } from '@whetstone/contracts';

import { clip, listed } from '../bounded-text.js';
import { shownCall } from '../describe-command.js';
import type { Step } from '../read-steps.js';
import { exampleOf, type RunReading, tasksLike } from '../run-reading.js';
import { readStages } from '../shell-command.js';
import { describeSql } from '../sql-statement.js';

const shownTries = 3;

/**
 * A failed run in which nothing complained. Why it failed cannot be told from it, and is not claimed: only what was tried
 * and was not enough, so that another attempt does not spend itself on the same.
 */
export function silentFailureLesson(run: RunReading): Insight | undefined {
  const acts = run.deeds.filter(({ action, outcome }) => action.kind !== 'reply' && outcome.kind !== 'error');
  if (acts.length === 0) return undefined;
  const tool = acts.some(({ action }) => action.kind === 'tool');
  return tool ? toolFailure(run, acts) : commandFailure(run, acts);
}

function commandFailure(run: RunReading, acts: readonly Step[]): Insight {
  const changes = acts.filter(({ role }) => role === 'change');
  const tries = latestDistinct(changes.length > 0 ? changes : acts);
  const repeats = acts.filter(({ repeats: again }) => again).length;
  const empty = acts.filter(({ outcome }) => outcome.kind === 'silent').length;
  const again = repeats > 1 ? ` Sending the same again (${repeats} times) changed nothing.` : '';
  const nothing = empty === acts.length ? ' Nothing was printed: see whether anything matched at all.' : '';
  return {
    kind: 'pitfall',
    title: clip(`Ran without an error, yet did not solve it: ${listed([...new Set(tries.map(shapeOf))])}`, 160),
    ...tasksLike(run),
    content: `Tried without an error, and it was not enough; the turns do not show why.${again}${nothing} Compare the output with the exact wording of the task before finishing.`,
    steps: [],
    example: exampleOf(...tries.map(({ action }) => action)),
    polarity: 'failure',
    evidence: tries.map(({ turn }) => turn),
    confidence: 0.25,
  };
}

function toolFailure(run: RunReading, acts: readonly Step[]): Insight | undefined {
  const deeds = acts.filter(({ role }) => role === 'change' || role === 'hand-over');
  const last = deeds.at(-1);
  if (!last) return undefined;
  const names = listed([...new Set(deeds.map(({ action }) => `\`${action.name}\``))].slice(0, 4));
  const handedOver = last.role === 'hand-over';
  return {
    kind: 'pitfall',
    title: clip(
      handedOver ? `Handing over with ${names} did not solve it` : `${names} went through, and the run still failed`,
      160,
    ),
    ...tasksLike(run),
    content: handedOver
      ? 'The run ended by handing over to a person and failed; the turns do not show why. See first whether the tools allow what was asked.'
      : `${names} went through without an error and the run still failed; the turns do not show why. That a call is accepted does not mean that it was due: check the conditions for it, and that nothing of the request is left.`,
    steps: [],
    polarity: 'failure',
    evidence: deeds.slice(-6).map(({ turn }) => turn),
    confidence: 0.2,
  };
}

function latestDistinct(acts: readonly Step[]): Step[] {
  const tries: Step[] = [];
  for (const step of [...acts].reverse()) {
    if (tries.length === shownTries) break;
    if (!tries.some(({ action }) => action.text === step.action.text)) tries.push(step);
  }
  return tries.reverse();
}

function shapeOf({ action }: Step): string {
  if (action.kind === 'sql')
    return `\`${action.name.toUpperCase()}\` with ${describeSql(action.text) || 'nothing more'}`;
  if (action.kind !== 'shell') return `\`${action.name}\``;
  const calls = readStages(action.text).slice(0, 3).map(shownCall);
  return calls.length === 0 ? 'the command' : `\`${calls.join(' | ')}\``;
}
