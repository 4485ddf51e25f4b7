import type { Effect, SearchHit } from '@whetstone/contracts';
import { asksFor, effectsOf } from '@whetstone/reading';

import type { Unvoted } from './fold-lessons.js';

export interface GuardConfig {
  /** What destroys, connects, installs and the like is told only where the task asks for it or several runs agree. */
  guardEffects: boolean;
}

/** Told where the task asks for that, or where others agree. */
const risky: ReadonlySet<Effect> = new Set([
  'destroys',
  'connects',
  'installs',
  'widens_rights',
  'disables_safeguard',
  'persists',
  'unreadable',
]);
/** No wording of a task is enough for these. */
const alwaysAgreed: ReadonlySet<Effect> = new Set(['runs_fetched', 'opens_shell', 'destroys_all']);
const agreeingRuns = 3;
const agreeingKeys = 2;

/**
 * The lessons that a single upload could not have planted, or could without harm. Decided by what an example does, and before
 * any lesson is held against another: nothing that is told was outvoted by what may not be.
 */
export function admitLessons(
  lessons: readonly Unvoted[],
  { task, hits, config }: { task: string; hits: readonly SearchHit[]; config: GuardConfig },
): Unvoted[] {
  const severalKeys = new Set(hits.map(({ origin }) => origin.keyId)).size > 1;
  return lessons.filter(
    (lesson) => isTrusted(lesson) && (!config.guardEffects || isHarmless(lesson, task, severalKeys)),
  );
}

/** Whether its example does more than to read, or to change what it names. */
export function isRisky({ insight, example }: Unvoted): boolean {
  return example !== undefined && insight.effects.some((effect) => risky.has(effect) || alwaysAgreed.has(effect));
}

/** What only low trust taught waits until runs of several keys agree. */
function isTrusted({ trusts, support, keyIds }: Unvoted): boolean {
  return !isOnlyLow(trusts) || (support >= agreeingRuns && keyIds.size >= agreeingKeys);
}

function isOnlyLow(trusts: Unvoted['trusts']): boolean {
  return trusts.has('low') && trusts.size === 1;
}

/** What is told in words alone, as a warning is, can do nothing. */
function isHarmless(lesson: Unvoted, task: string, severalKeys: boolean): boolean {
  const { insight, firm, trusts } = lesson;
  if (insight.kind === 'pitfall' || !isRisky(lesson)) return true;
  if (firm.runs >= agreeingRuns && (!severalKeys || firm.keys >= agreeingKeys)) return true;
  if (insight.effects.some((effect) => alwaysAgreed.has(effect))) return false;
  return (
    trusts.has('high') || insight.effects.every((effect) => !risky.has(effect) || isAskedFor(effect, lesson, task))
  );
}

function isAskedFor(effect: Effect, lesson: Unvoted, task: string): boolean {
  const actions = lesson.actions().filter((action) => effectsOf(action).includes(effect));
  return actions.length > 0 && actions.every((action) => asksFor(task, effect, action));
}
