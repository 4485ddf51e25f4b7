import type { Insight } from '@whetstone/contracts';

import type { Action } from '../actions/action.js';
import { targetOf } from '../actions/browser-action.js';
import { differenceBetween, differenceOfProgram, saysWhatChanged } from '../actions/compare-actions.js';
import { readsSchema } from '../actions/sql-statement.js';
import { capitalised } from '../bounded-text.js';
import { findRecoveries, type Recovery } from '../find-recoveries.js';
import type { Step } from '../read-steps.js';
import { quote, type RunReading } from '../run-reading.js';
import { readStages } from '../shell/shell-command.js';
import { inWords } from './action-words.js';
import { exampleOf } from './example-of.js';
import { adviceOn, failingPart, failingProgram, isCarriedBy } from './failing-part.js';
import { isBrokenByFormat } from './format-lesson.js';
import { fittingTitle } from './tool-words.js';

const genericErrors = new Set(['refused', 'not-found']);
/** In a run that failed in the end, a command counts as a way past an error only where that error says enough by itself. */
const tellingShellErrors = new Set([
  'missing-program',
  'missing-module',
  'bad-option',
  'missing-file',
  'denied',
  'wrong-type',
]);

/** A command that grew by more than this did something else as well: what got past the error cannot be told. */
const mostAddedStages = 2;

/** An error, and what got past it. Of several the one that tells most: known kind of error, several tries, latest. */
export function recoveryLesson(run: RunReading): Insight | undefined {
  const failedRun = run.outcome === 'failure';
  const best = findRecoveries(run.deeds)
    .filter(
      (recovery) =>
        !isBrokenByFormat(recovery.failed) && !(failedRun && isDoubtful(recovery)) && wayPast(recovery) !== undefined,
    )
    .reduce<Recovery | undefined>(
      (chosen, next) => (chosen && weight(chosen) > weight(next) ? chosen : next),
      undefined,
    );
  const way = best && wayPast(best);
  if (!best || !way) return undefined;

  const { failed, tries } = best;
  const { called, isPlural, error } = failingPart(failed);
  const { how, isClear } = way;
  const advice = isClear ? undefined : adviceOn(failed);
  // What a failed run did instead is no model where it does not even say what to do.
  const isModel = !failedRun || advice === undefined;
  const worked = `What ${failedRun ? 'got past it, though the run failed in the end' : 'worked'}: ${how}.`;
  return {
    kind: 'recovery',
    title: fittingTitle(
      [80, 50].map((chars) => `When ${called} ${isPlural ? 'say' : 'says'} ${quote(error, chars)}: ${how}`),
    ),
    appliesWhen: `${called} ${isPlural ? 'answer' : 'answers'} ${quote(error, 100)}`,
    content: `${capitalised(called)} failed${tries > 1 ? ` ${tries} times` : ''} with ${[`${quote(error)}.`, ...(isModel ? [worked] : []), ...(advice === undefined ? [] : [advice])].join(' ')}`,
    steps: [],
    ...(isModel ? { example: exampleOf(best.worked.action) } : {}),
    polarity: failedRun ? 'failure' : 'success',
    evidence: [failed.turn, best.worked.turn],
    confidence: run.outcome === 'success' ? 0.75 : 0.4,
  };
}

function isDoubtful({ failed, worked }: Recovery): boolean {
  if (failed.action.kind !== 'shell') return false;
  const grown = readStages(worked.action.text).length - readStages(failed.action.text).length;
  return (
    worked.outcome.kind !== 'ok' ||
    grown > mostAddedStages ||
    !tellingShellErrors.has(failed.outcome.errorClass?.id ?? '')
  );
}

function weight({ failed, tries }: Recovery): number {
  const known = failed.outcome.errorClass;
  return (known ? (genericErrors.has(known.id) ? 1 : 2) : 0) + Math.min(tries, 4) * 0.5;
}

interface Way {
  how: string;
  /** It says by itself what to do; otherwise the advice on the kind of error helps. */
  isClear: boolean;
}

/** Undefined where the program that complained went through unchanged: then it was something else that helped. */
function wayPast({ failed, worked, thenRepeated, between }: Recovery): Way | undefined {
  if (thenRepeated) return { how: `${inWords(worked)} first, then the same again`, isClear: true };
  const program = failed.action.kind === 'shell' ? failingProgram(failed) : undefined;
  if (program !== undefined && worked.action.kind === 'shell') {
    if (isCarriedBy(program, failed.action) && !isCarriedBy(program, worked.action))
      return { how: `leaving out \`${program}\``, isClear: true };
    const how = differenceOfProgram(program, failed.action, worked.action);
    return how === undefined ? undefined : { how, isClear: true };
  }
  if (isOneOfThoseListed(failed, worked))
    return { how: 'taking one of those that it lists, word for word', isClear: true };
  const source = sourceOfArguments(failed.action, worked.action, between);
  const difference = differenceBetween(failed.action, worked.action);
  const looked = between.some(({ action }) => action.kind === 'sql' && readsSchema(action.text));
  const first = looked ? 'reading the schema, then ' : source;
  if (difference !== undefined)
    return { how: `${first}${difference}`, isClear: first !== '' || saysWhatChanged(difference) };
  if (looksForWords(failed) && looksForWords(worked)) return otherWords(failed, worked);
  if (inWords(failed) === inWords(worked)) return undefined;
  return { how: `${first}${inWords(worked)}`, isClear: looked };
}

function looksForWords({ action }: Step): boolean {
  return action.kind === 'browser' && /^(?:search|lookup)$/.test(action.name);
}

/** Which words they were belongs to the one task. */
function otherWords(failed: Step, worked: Step): Way {
  const [before = 0, after = 0] = [failed, worked].map(({ action }) => targetOf(action).split(/\s+/).length);
  const isShorter = after < before;
  return { how: `${worked.action.name} with ${isShorter ? 'fewer' : 'other'} words`, isClear: isShorter };
}

/** The error offered others, and what worked took one of them: which one belongs to the one task. */
function isOneOfThoseListed(failed: Step, worked: Step): boolean {
  if (failed.outcome.errorClass?.id !== 'alternatives') return false;
  // The message may repeat, once, what it was asked with: that is no offer.
  const offered = valuesOf(failed).reduce((text, value) => text.replace(value, ''), failed.outcome.text);
  return valuesOf(worked).some((value) => offered.includes(value));
}

function valuesOf({ action }: Step): string[] {
  const values = action.kind === 'tool' ? Object.values(action.args) : [targetOf(action)];
  return values.filter((value) => value.length > 1);
}

/** Where a value that the failing call did not have came from: the call in between whose result shows it. */
function sourceOfArguments(before: Action, after: Action, between: readonly Step[]): string {
  if (after.kind !== 'tool') return '';
  for (const [key, value] of Object.entries(after.args)) {
    if (value.length < 2 || before.args[key] === value) continue;
    const source = between.findLast(({ action, outcome }) => action.kind === 'tool' && outcome.text.includes(value));
    if (source) return `\`${source.action.name}\` first, whose result gives \`${key}\`; then `;
  }
  const step = between.find(({ role }) => role === 'change');
  return step && before.name !== after.name ? `\`${step.action.name}\` first; then ` : '';
}
