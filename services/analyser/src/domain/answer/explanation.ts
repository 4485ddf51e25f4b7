import type { Candidate, SearchHit } from '@whetstone/contracts';

import { lessonNameOf } from './hit-names.js';
import { countRuns, createRunsOf, mergeRuns } from './hit-runs.js';

/** Why a lesson was told or not, in the order in which this is decided: those further down came further. */
const reasons = {
  not_about_tasks: 'It is about a format or an agent, not about a task.',
  below_floor: 'Its task is not near enough.',
  other_agent: 'It was learnt by another type of agent, and its task is not near enough for that.',
  not_reviewed: 'It waits for review: this collection tells only what was approved.',
  failed_elsewhere: 'It is about a failure at another task.',
  low_confidence: 'Its confidence is too low.',
  opposite_task: 'Its task asks for something different, for example the opposite.',
  unclear_intent: 'It changes something, and the two tasks may ask for different things.',
  poor_substitute: 'It is far from the task, and what is known of a nearer task may not be told.',
  low_trust: 'Only keys of low trust have taught it, and too few of them agree.',
  needs_agreement: 'Its action is risky: too few runs agree, and the task does not ask for it.',
  muted: 'It is muted, or says the same as a muted one.',
  rejected: 'It was rejected in review, or says the same as a rejected one.',
  contradicted_by_outcomes: 'Runs that were given it failed too often.',
  similar_only: 'It is from a similar task, and something nearer is known to work.',
  other_values: 'Its task has other values, and something is known to work with these.',
  not_needed: 'Something is known to work for this task, so no warning or recovery is needed.',
  risky_way: 'A risky way is shown only if it is the best one, and then alone.',
  same_way: 'It is the way shown, with more steps.',
  another_way: 'Another way to do this task ranks higher.',
  own_task_only: 'It applies to its own task only.',
  not_typical: 'Most runs at similar tasks change something else.',
  unlike_command: 'It is a command from a similar task; a nearer one stands for them, or used other programs.',
  unrelated_error: 'It is about an error that the recommended steps cannot hit.',
  too_many: 'Enough better lessons were found.',
  nothing_to_show: 'It cannot be shown: its values belong to another case.',
  over_budget: 'The recommendations before it leave no room.',
  without_example: 'A format is told only beside an example, and there is none.',
  folded_into_another: 'It says the same as another one, which stands for both.',
  held_out: 'All recommendations were held out at random, to measure what they are worth.',
  told: 'It is relevant, and nothing speaks against it.',
  pinned: 'It is pinned, and relevant.',
} as const;

export type Reason = keyof typeof reasons;

const progress = new Map(Object.keys(reasons).map((reason, at) => [reason as Reason, at]));

/** Records the fate of each hit. A lesson is identified by the hit it shows. */
export interface Explanation {
  /** It goes no further. */
  leave(hit: SearchHit, reason: Reason): void;
  /** They go on as part of `shown`. */
  fold(hits: readonly SearchHit[], shown: SearchHit): void;
  /** The lessons of the hits, nearest first. `told` are the hits that the answer shows. */
  candidates(hits: readonly SearchHit[], told: ReadonlyMap<SearchHit, Reason>): Candidate[];
}

export function createExplanation(): Explanation {
  const left = new Map<SearchHit, Reason>();
  const shownFor = new Map<SearchHit, SearchHit>();

  function reasonOf(hit: SearchHit, told: ReadonlyMap<SearchHit, Reason>): Reason {
    let shown = hit;
    for (let next = shownFor.get(shown); next; next = shownFor.get(shown)) shown = next;
    const reason = told.get(shown);
    if (!reason) return left.get(shown) ?? 'too_many';
    return lessonNameOf(hit) === lessonNameOf(shown) ? reason : 'folded_into_another';
  }

  return {
    leave: (hit, reason) => left.set(hit, reason),
    fold(hits, shown) {
      for (const hit of hits) if (hit !== shown) shownFor.set(hit, shown);
    },
    candidates(hits, told) {
      const runsOf = createRunsOf(hits);
      const candidates = [...byLesson(hits)].map(([id, members]): Candidate => {
        const judged = members.map((hit) => ({ hit, reason: reasonOf(hit, told) }));
        const [best] = judged.sort(
          (a, b) =>
            (progress.get(b.reason) ?? 0) - (progress.get(a.reason) ?? 0) ||
            Number(told.has(b.hit)) - Number(told.has(a.hit)) ||
            b.hit.similarity - a.hit.similarity,
        ) as [(typeof judged)[number]];
        const { hit, reason } = best;
        return {
          id,
          kind: hit.insight.kind,
          title: hit.insight.title,
          task: hit.intent,
          similarity: hit.similarity,
          support: countRuns(mergeRuns(members.map(runsOf))),
          told: reason === 'told' || reason === 'pinned',
          reason,
          because: reasons[reason],
        };
      });
      return candidates.sort((a, b) => b.similarity - a.similarity);
    },
  };
}

function byLesson(hits: readonly SearchHit[]): Map<string, SearchHit[]> {
  const lessons = new Map<string, SearchHit[]>();
  for (const hit of new Set(hits)) {
    const id = lessonNameOf(hit);
    lessons.set(id, [...(lessons.get(id) ?? []), hit]);
  }
  return lessons;
}

/** Those that pass; of the others it takes down why not. */
export function sift<One extends { shown: SearchHit }>(
  lessons: readonly One[],
  passes: (lesson: One, at: number, all: readonly One[]) => boolean,
  reason: Reason,
  explanation: Explanation | undefined,
): One[] {
  return lessons.filter((lesson, at, all) => {
    const isKept = passes(lesson, at, all);
    if (!isKept) explanation?.leave(lesson.shown, reason);
    return isKept;
  });
}
