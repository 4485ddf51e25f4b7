import { changesOf, isToolName } from '../reflector/actions/action-role.js';
import type { Lesson } from './fold-hits.js';
import type { RelevantHit } from './relevance.js';

/** How runs ended that succeeded: with which changes, and how many of them; none is an end too. */
export interface DifferentEnds {
  runs: number;
  ends: { changes: string[]; runs: number }[];
}

const nearEnough = 0.5;
const asNear = 0.75;
const fewestRuns = 3;
/** Above this one end is what requests like the task come to. */
const nearlyAll = 0.8;
const mostTold = 4;

/**
 * Requests in the same few words can want different things, or want what is not allowed: then what is in the records decides,
 * and an agent that takes one run for the pattern does the wrong thing. Looks at runs with tools whose callers have stated that they succeeded.
 */
export function differentEnds(hits: readonly RelevantHit[]): DifferentEnds | undefined {
  const nearest = Math.max(0, ...hits.map(({ relevance }) => relevance));
  const ends = new Map<string, string>();
  for (const { hit, relevance } of hits) {
    const { outcome, judged, uses } = hit.run;
    if (relevance < Math.max(nearEnough, nearest * asNear) || outcome !== 'success' || judged) continue;
    if (uses.length > 0 && uses.every(isToolName)) ends.set(hit.origin.bodyDigest, [...changesOf(uses)].join(' '));
  }
  const counts = new Map<string, number>();
  for (const end of ends.values()) counts.set(end, (counts.get(end) ?? 0) + 1);
  if (ends.size < fewestRuns || counts.size < 2 || Math.max(...counts.values()) > nearlyAll * ends.size)
    return undefined;
  const told = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1)).slice(0, mostTold);
  return {
    runs: ends.size,
    ends: told.map(([end, runs]) => ({ changes: end === '' ? [] : end.split(' '), runs })),
  };
}

/** With how the runs ended at the first lesson from a run with tools; undefined where there is nothing to tell. */
export function withDifferentEnds(lessons: readonly Lesson[], hits: readonly RelevantHit[]): Lesson[] | undefined {
  const at = lessons.findIndex(({ shown }) => shown.insight.kind === 'strategy' && shown.run.uses.some(isToolName));
  const ends = at < 0 ? undefined : differentEnds(hits);
  return ends && lessons.map((lesson, index) => (index === at ? { ...lesson, ends } : lesson));
}

/** "Requests like this ended in different ways in 5 runs that succeeded: 3 changed nothing, 2 called `cancel_order`. …" */
export function endsInWords({ runs, ends }: DifferentEnds): string {
  const told = ends.map(({ changes, runs: count }) =>
    changes.length === 0
      ? `${count} changed nothing`
      : `${count} called ${changes.map((name) => `\`${name}\``).join(' and ')}`,
  );
  return `Of ${runs} runs at requests like this that succeeded ${told.join(', ')}: let the records decide, not the request.`;
}
