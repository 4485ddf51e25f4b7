import type { Insight, Trust, Votes } from '@whetstone/contracts';
import { type Action, effectsOf } from '@whetstone/reading';

import { type DecidedHit, isByPerson, isInPersonsWords, isSilenced } from './decided-hits.js';
import { type Explanation, sift } from './explanation.js';
import { citedAs, taskNameOf } from './hit-names.js';
import {
  countRuns,
  countTrustedRuns,
  createRunsOf,
  firstSeen,
  jobIdsOf,
  keysOf,
  mergeRuns,
  type Runs,
  type RunsOf,
} from './hit-runs.js';
import type { JudgedHit } from './judge-hits.js';
import { votesOn, weighVotes } from './vote-weight.js';

/** Insights that recommend the same actions, shown as one. */
export interface Lesson extends Omit<JudgedHit, 'hit'> {
  /** The insight that is shown and cited. */
  shown: DecidedHit;
  /** What people decided about it, or about one that says the same. */
  state?: 'muted' | 'rejected' | 'pinned' | undefined;
  /** Agreeing runs. */
  runs: Runs;
  /** How many there are. */
  support: number;
  /** Counts of agreeing runs, and of their keys, without low-trust keys. */
  trusted: { runs: number; keys: number };
  keyIds: ReadonlySet<string>;
  trusts: ReadonlySet<Trust>;
  sourceJobIds: string[];
  /** Sum over the folded insights. */
  votes: Votes;
  /** What the votes add to the score. */
  voteShift: number;
  /** The actions of the shown example. */
  actions(): readonly Action[];
}

/** A lesson before its votes are weighed. */
export type UnweightedLesson = Omit<Lesson, 'voteShift'>;

export type ReadExample = (example: string) => readonly Action[];

/**
 * Folds insights whose actions have the same normal form: different spellings make one lesson, different arguments
 * two. Nearest first, whatever the order of the hits.
 */
export function foldLessons(
  hits: readonly JudgedHit[],
  read: ReadExample,
  explanation?: Explanation,
): UnweightedLesson[] {
  const groups = new Map<string, JudgedHit[]>();
  for (const judged of [...hits].sort(nearestFirst)) {
    const key = keyOf(judged);
    const group = groups.get(key);
    if (group) group.push(judged);
    else groups.set(key, [judged]);
  }
  const runsOf = createRunsOf(hits.map(({ hit }) => hit));
  const lessons = [...groups.values()].map((members) => {
    const lesson = lessonOf(members, read, runsOf);
    explanation?.fold(
      members.map(({ hit }) => hit),
      lesson.shown,
    );
    return lesson;
  });
  const obstacles = lessons.filter(({ insight, relation }) => insight.rule === 'obstacle' && relation === 'same');
  const holds = (lesson: UnweightedLesson) => !obstacles.some((obstacle) => refutes(obstacle, lesson));
  return sift(lessons, holds, 'contradicted_by_outcomes', explanation);
}

/** The same action ended runs at this very task, more often than it worked there. */
function refutes(obstacle: UnweightedLesson, { insight, relation, forms, support }: UnweightedLesson): boolean {
  if (insight.kind === 'pitfall' || relation === 'similar' || !obstacle.forms.every((form) => forms.includes(form)))
    return false;
  return relation === 'variant' || obstacle.support > support;
}

function keyOf({ insight, forms, hit, example, withheld }: JudgedHit): string {
  if (forms.length > 0) return JSON.stringify([withheld ?? sideOf(insight), ...forms]);
  const { rule, errorClass } = insight;
  // Without actions: what a model or a person says stands alone, a rule's lesson is identified by its error or its task.
  const standsAlone = rule === 'model' || isByPerson(insight);
  const subject = example ?? errorClass ?? (standsAlone ? citedAs(hit) : taskNameOf(hit));
  return JSON.stringify([sideOf(insight), { rule, errorClass, subject }]);
}

/** Failures and successes are never folded together. */
function sideOf({ kind, polarity }: Insight): string {
  return kind === 'pitfall' ? 'avoid' : polarity;
}

/** Combines one or more hits into a lesson. */
export function lessonOf(
  all: readonly JudgedHit[],
  read: ReadExample,
  runsOf: RunsOf = createRunsOf(all.map(({ hit }) => hit)),
): UnweightedLesson {
  const direct = all.filter(({ relation }) => relation !== 'similar');
  const close = all.filter(({ isClose }) => isClose);
  // Runs at other tasks do not add to the support for this one.
  const members = [direct, close, all].find((some) => some.length > 0) ?? all;
  // Of several spellings, what people chose or wrote.
  const decided = members.filter(({ hit }) => isDecided(hit));
  const { hit, ...judged } = mostCommonSpelling(decided.length > 0 ? decided : members, runsOf);
  const hits = members.map((member) => member.hit);
  const runsOfEach = hits.map(runsOf);
  const runs = mergeRuns(runsOfEach);
  const keys = hits.flatMap(keysOf);
  return {
    ...judged,
    shown: hit,
    state: strongest(all.map((one) => one.hit.state)),
    runs,
    support: countRuns(runs),
    trusted: {
      runs: countTrustedRuns(runsOfEach),
      keys: distinct(keys.filter(({ trust }) => trust !== 'low').map(({ keyId }) => keyId)).size,
    },
    keyIds: distinct(keys.map(({ keyId }) => keyId)),
    trusts: distinct(keys.map(({ trust }) => trust ?? 'normal')),
    // What a person wrote comes from no job.
    sourceJobIds: [...distinct(hits.filter(({ insight }) => !isByPerson(insight)).flatMap(jobIdsOf))],
    votes: votesOn(hits),
    actions: () => actionsOf(judged, read),
  };
}

/** A label or an answer is no command, even if it reads like one. */
function actionsOf({ insight, example }: Omit<JudgedHit, 'hit'>, read: ReadExample): readonly Action[] {
  if (example === undefined) return [];
  return insight.rule === 'reply' ? [{ kind: 'reply', verb: 'reply', text: example }] : read(example);
}

function isDecided(hit: DecidedHit): boolean {
  return hit.state === 'pinned' || isInPersonsWords(hit);
}

/** What silences one lesson silences whatever says the same. */
function strongest(states: readonly DecidedHit['state'][]): Lesson['state'] {
  return (['rejected', 'muted', 'pinned'] as const).find((state) => states.includes(state));
}

/**
 * Folds calls that look the same once values are masked. Then drops what people silenced and what votes show to be
 * harmful. Runs after admission, which judges each lesson by its own actions.
 */
export function foldShown(
  lessons: readonly UnweightedLesson[],
  shownAs: (lesson: UnweightedLesson) => string | undefined,
  explanation?: Explanation,
): Lesson[] {
  const folded = new Map<string, UnweightedLesson>();
  for (const lesson of lessons) {
    const isCall = lesson.actions().some(({ kind }) => kind === 'call' || kind === 'http');
    const where = lesson.relation === 'similar' ? 'similar' : 'direct';
    const counted = where === 'similar' ? { ...lesson, actions: () => decisive(lesson.actions()) } : lesson;
    const key = isCall ? JSON.stringify([sideOf(lesson.insight), where, shownAs(counted)]) : lesson.shown.id;
    const first = folded.get(key);
    if (!first) folded.set(key, lesson);
    else {
      const [shown, other] = isDecided(lesson.shown) && !isDecided(first.shown) ? [lesson, first] : [first, lesson];
      folded.set(key, mergeLessons(shown, other));
      explanation?.fold([other.shown], shown.shown);
    }
  }
  const unmuted = sift([...folded.values()], ({ state }) => state !== 'muted', 'muted', explanation);
  const audible = sift(unmuted, (lesson) => !isSilenced(lesson), 'rejected', explanation);
  const weighed = weighVotes(audible);
  if (explanation) {
    const kept = new Set(weighed.map(({ shown }) => shown));
    sift(audible, ({ shown }) => kept.has(shown), 'contradicted_by_outcomes', explanation);
  }
  return weighed;
}

/** The changes, if there are any: runs agree even if they looked up different things on the way. */
function decisive(actions: readonly Action[]): readonly Action[] {
  const changes = actions.filter((action) => effectsOf(action).length > 0);
  return changes.length > 0 ? changes : actions;
}

/** Shown as the first, supported by the runs of both. */
export function mergeLessons<One extends UnweightedLesson>(first: One, other: UnweightedLesson): One {
  const runs = mergeRuns([first.runs, other.runs]);
  return {
    ...first,
    state: strongest([first.state, other.state]),
    runs,
    support: countRuns(runs),
    sourceJobIds: [...new Set([...first.sourceJobIds, ...other.sourceJobIds])],
    votes: { helped: first.votes.helped + other.votes.helped, harmed: first.votes.harmed + other.votes.harmed },
  };
}

/** The exact spelling most runs used, among hits that fit the task as well as the first. */
function mostCommonSpelling(members: readonly JudgedHit[], runsOf: RunsOf): JudgedHit {
  const first = members[0] as JudgedHit;
  const near = members.filter(
    ({ relation, hit, insight }) =>
      relation === first.relation &&
      insight.kind === first.insight.kind &&
      (relation !== 'similar' || taskNameOf(hit) === taskNameOf(first.hit)),
  );
  const spellings = [...distinct(near.map(({ example }) => example))].map((spelling) => {
    const members = near.filter(({ example }) => example === spelling) as [JudgedHit, ...JudgedHit[]];
    return { members, runs: countRuns(mergeRuns(members.map(({ hit }) => runsOf(hit)))) };
  });
  return spellings.reduce((best, next) => (next.runs > best.runs ? next : best)).members[0];
}

const relationOrder = { same: 0, variant: 1, similar: 2 } as const;
const kindOrder = { strategy: 0, recovery: 1, pitfall: 2 } as const;

/** Of equals, the one learnt first: that stays so when their rows are consolidated. */
function nearestFirst(a: JudgedHit, b: JudgedHit): number {
  return (
    relationOrder[a.relation] - relationOrder[b.relation] ||
    kindOrder[a.insight.kind] - kindOrder[b.insight.kind] ||
    b.nearness - a.nearness ||
    b.insight.confidence - a.insight.confidence ||
    b.hit.score - a.hit.score ||
    firstSeen(a.hit) - firstSeen(b.hit) ||
    compare(a.hit.name, b.hit.name) ||
    compare(a.hit.id, b.hit.id)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function distinct<Value>(values: readonly Value[]): Set<Value> {
  return new Set(values);
}
