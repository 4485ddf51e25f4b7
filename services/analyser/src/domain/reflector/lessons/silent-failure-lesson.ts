import type { Insight } from '@whetstone/contracts';

import { describeSql } from '../actions/sql-statement.js';
import { clip, listed } from '../bounded-text.js';
import type { Step } from '../read-steps.js';
import { type RunReading, tasksLike } from '../run-reading.js';
import { shownLine } from '../shell/describe-command.js';
import { agreedChanges, isInEnglish } from '../talk/consent.js';
import { exampleOf } from './example-of.js';
import { handOverReason } from './hand-over-reason.js';
import { fittingTitle, named } from './tool-words.js';

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
  const writes = acts.filter(({ role }) => role === 'change');
  const handOvers = acts.filter(({ role }) => role === 'hand-over');
  const deeds = acts.filter((step) => writes.includes(step) || handOvers.includes(step));
  const last = deeds.at(-1);
  if (!last) return undefined;
  const words = last.role === 'hand-over' ? handOverWords(run, writes, handOvers) : writeWords(run, writes);
  return {
    kind: 'pitfall',
    ...words,
    ...tasksLike(run),
    steps: [],
    polarity: 'failure',
    evidence: deeds.slice(-6).map(({ turn }) => turn),
    confidence: 0.2,
  };
}

function handOverWords(
  { names }: RunReading,
  writes: readonly Step[],
  handOvers: readonly Step[],
): Pick<Insight, 'title' | 'content'> {
  const [after, begin] =
    writes.length > 0
      ? [` after ${named(writes)}`, `After ${named(writes)} had gone through, the run`]
      : ['', 'The run'];
  const handedOver = `Handing over with ${named(handOvers, 1)}`;
  const last = handOvers.at(-1);
  const reason = last && handOverReason(last, names);
  const words = reason === undefined ? '' : ` in these words: “${reason}”`;
  return {
    title: fittingTitle([`${handedOver}${after} did not solve it`, `${handedOver} did not solve it`]),
    content: `${begin} ended by handing over to a person with ${named(handOvers, 1)}${words}, and failed${words === '' ? '; the turns do not show why' : ''}. See first whether the tools allow what was asked.`,
  };
}

const dueWords =
  'That a call is accepted does not mean that it was due: check the conditions for it, and that nothing of the request is left.';

/** Of an agent that talks, what stands out is a change that the user had not said yes to. */
function writeWords(run: RunReading, writes: readonly Step[]): Pick<Insight, 'title' | 'content'> {
  const agreed = agreedChanges(run.deeds);
  const unasked = writes.filter((write) => !agreed.has(write) && userSpokeBefore(run.deeds, write));
  const why =
    unasked.length > 0
      ? `What stands out: ${named(unasked)} came before the user had said yes to just that. Say what will be changed and what it costs, wait for the yes, and check the conditions for the call.`
      : `The turns do not show why. ${dueWords}`;
  return {
    title: fittingTitle([4, 3, 2, 1].map((most) => `${named(writes, most)} went through, and the run still failed`)),
    content: `${named(writes)} went through without an error and the run still failed. ${why}`,
  };
}

/** Where nobody tells what the user said, or in words that cannot be read, nobody can tell that there was no yes. */
function userSpokeBefore(deeds: readonly Step[], write: Step): boolean {
  const reply = deeds.slice(0, deeds.indexOf(write)).findLast(({ action }) => action.kind === 'reply');
  return reply !== undefined && reply.outcome.text.trim() !== '' && isInEnglish(reply.action.text);
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
  return shownLine(action.text) ?? 'the command';
}
