import {
  type CollectionSettings,
  type DecidedState,
  decidedStates,
  type LessonDecision,
  type LessonVerdict,
  type LessonWording,
  type Micros,
} from '@whetstone/contracts/messages';

import { groupBy } from './group-by.js';
import { isLessonId, lessonIdOf } from './insight-names.js';
import type { Row } from './ports.js';

/** Settings of a collection are decisions, too. This stands in the place of the lesson. */
export const settingsJob = 'settings';

export interface SettingsBody {
  settings: CollectionSettings;
  keyId: string;
  changedAt: Micros;
}

/** A decision as stored: a lesson, or `settingsJob`, in the place of the job. Attempts are in order of time. */
export type StoredDecision = Pick<Row, 'jobId' | 'attempt' | 'body'>;

/** What counts of some decisions. */
export interface Decided {
  verdicts: LessonVerdict[];
  settings: CollectionSettings;
}

/** The jobs of decision rows about these insights. */
export function lessonsOf(rows: readonly Pick<Row, 'name'>[]): string[] {
  return [...new Set(rows.flatMap(({ name }) => (name === '' ? [] : lessonIdOf(name))))];
}

/** `undefined` if the body is malformed or about something else. */
export function decisionOf({ jobId, body }: Pick<Row, 'jobId' | 'body'>): LessonDecision | undefined {
  const decision = parsed(body) as Partial<LessonDecision>;
  const { lesson, state, wording, keyId, decidedAt } = decision;
  const isDecision =
    lesson === jobId &&
    isLessonId(jobId) &&
    (state === undefined || decidedStates.includes(state)) &&
    (wording === undefined || isWording(wording)) &&
    typeof keyId === 'string' &&
    typeof decidedAt === 'number';
  return isDecision ? (decision as LessonDecision) : undefined;
}

function isWording(wording: unknown): wording is LessonWording {
  if (typeof wording !== 'object' || wording === null) return false;
  const { title, text, example } = wording as Record<string, unknown>;
  return [title, text, example].every((part) => part === undefined || typeof part === 'string');
}

function settingsOf({ body }: Pick<Row, 'body'>): CollectionSettings {
  const { settings } = parsed(body) as Partial<SettingsBody>;
  return typeof settings === 'object' && settings !== null ? settings : {};
}

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Of each lesson the latest state and the latest wording; of the settings the latest value of each. */
export function foldDecisions(rows: readonly StoredDecision[]): Decided {
  const decided: Decided = { verdicts: [], settings: {} };
  for (const [jobId, ofJob] of groupBy([...rows].sort(byTime), ({ jobId }) => jobId)) {
    if (jobId === settingsJob) for (const row of ofJob) Object.assign(decided.settings, settingsOf(row));
    else decided.verdicts.push(...verdictOf(jobId, ofJob));
  }
  return decided;
}

function verdictOf(lesson: string, rows: readonly StoredDecision[]): LessonVerdict[] {
  const decisions = rows.flatMap((row) => decisionOf(row) ?? []);
  const last = decisions.findLast((decision) => decision.state !== undefined)?.state;
  // It takes back what was decided before.
  const state = last === 'active' ? undefined : last;
  const wording = decisions.findLast((decision) => decision.wording !== undefined)?.wording;
  return state || wording ? [{ lesson, ...(state && { state }), ...(wording && { wording }) }] : [];
}

export function byTime(a: StoredDecision, b: StoredDecision): number {
  return a.attempt < b.attempt ? -1 : 1;
}

const keptDecisions = 50;

/** Of the decisions about one lesson, or of the changes to settings, the oldest that no longer count. */
export function outdated<Stored extends StoredDecision>(rows: readonly Stored[]): Stored[] {
  const whole = JSON.stringify(foldDecisions(rows));
  let left = [...rows].sort(byTime);
  for (const old of left.slice(0, -keptDecisions)) {
    const without = left.filter((row) => row !== old);
    if (JSON.stringify(foldDecisions(without)) === whole) left = without;
  }
  return rows.filter((row) => !left.includes(row));
}

const silent: ReadonlySet<DecidedState | undefined> = new Set<DecidedState>(['muted', 'rejected']);

export function silences({ state }: Pick<LessonVerdict, 'state'>): boolean {
  return silent.has(state);
}
