import type { Insight, SearchHit, Trust, Votes } from '@whetstone/contracts';
import { type Action, effectsOf } from '@whetstone/reading';

import type { JudgedHit } from './judge-hits.js';
import { votesOn, weighVotes } from './vote-weight.js';

/** Insights that say to do the same, told once. */
export interface Lesson extends Omit<JudgedHit, 'hit'> {
  /** The row that is shown and cited. */
  shown: SearchHit;
  /** The runs that agree, by their bodies: the same one uploaded twice is one run. */
  runs: ReadonlySet<string>;
  support: number;
  /** Those of them that keys of more than low trust have taught, and these keys. */
  firm: { runs: number; keys: number };
  keyIds: ReadonlySet<string>;
  trusts: ReadonlySet<Trust>;
  sourceJobIds: string[];
  /** Of all of them together. */
  votes: Votes;
  /** What these add to its score. */
  voteShift: number;
  /** What the example that is shown does. */
  actions(): readonly Action[];
}

/** Before outcomes have their say. */
export type Unvoted = Omit<Lesson, 'voteShift'>;

export type ReadExample = (example: string) => readonly Action[];

/**
 * Folds insights by what they do: equal deeds in different spelling are one lesson, and one argument's difference makes two. The
 * order of the hits does not matter: the nearest come first.
 */
export function foldLessons(hits: readonly JudgedHit[], read: ReadExample): Unvoted[] {
  const groups = new Map<string, JudgedHit[]>();
  for (const judged of [...hits].sort(nearestFirst)) {
    const key = keyOf(judged);
    const group = groups.get(key);
    if (group) group.push(judged);
    else groups.set(key, [judged]);
  }
  return [...groups.values()].map((members) => lessonOf(members, read));
}

function keyOf({ insight, forms, hit, example }: JudgedHit): string {
  if (forms.length > 0) return JSON.stringify([sideOf(insight), ...forms]);
  const { rule, errorClass } = insight;
  // A model's lesson in words alone is like no other; what a rule says without an example, it says of the task or the error.
  const what = example ?? errorClass ?? (rule === 'model' ? hit.id : hit.intent);
  return JSON.stringify([sideOf(insight), { rule, errorClass, what }]);
}

/** That a run did it in vain is nothing for, and nothing against, what worked in another. */
function sideOf({ kind, polarity }: Insight): string {
  return kind === 'pitfall' ? 'avoid' : polarity;
}

/** Of one hit at least: what they are told as. */
export function lessonOf(all: readonly JudgedHit[], read: ReadExample): Unvoted {
  const own = all.filter(({ relation }) => relation !== 'alike');
  const reworded = all.filter(({ difference }) => difference);
  // That it worked at other tasks too does not make it better at this one.
  const members = [own, reworded, all].find((some) => some.length > 0) ?? all;
  const { hit, ...judged } = mostAgreed(members);
  const origins = members.map((member) => member.hit.origin);
  const runs = distinct(origins.map(({ bodyDigest }) => bodyDigest));
  const firm = origins.filter(({ trust }) => trust !== 'low');
  return {
    ...judged,
    shown: hit,
    runs,
    support: runs.size,
    firm: {
      runs: distinct(firm.map(({ bodyDigest }) => bodyDigest)).size,
      keys: distinct(firm.map(({ keyId }) => keyId)).size,
    },
    keyIds: distinct(origins.map(({ keyId }) => keyId)),
    trusts: distinct(origins.map(({ trust }) => trust ?? 'normal')),
    sourceJobIds: [...distinct(origins.map(({ jobId }) => jobId))],
    votes: votesOn(members.map((member) => member.hit)),
    actions: () => (judged.example === undefined ? [] : read(judged.example)),
  };
}

/**
 * Folds calls that read the same once the values of their cases are hidden, and leaves out what outcomes plainly speak against. To
 * be done last: whether a lesson may be told is asked of each deed by itself.
 */
export function foldShown(lessons: readonly Unvoted[], shownAs: (lesson: Unvoted) => string | undefined): Lesson[] {
  const folded = new Map<string, Unvoted>();
  for (const lesson of lessons) {
    const isCall = lesson.actions().some(({ kind }) => kind === 'call' || kind === 'http');
    const where = lesson.relation === 'alike' ? 'alike' : 'own';
    const counted = where === 'alike' ? { ...lesson, actions: () => decisive(lesson.actions()) } : lesson;
    const key = isCall ? JSON.stringify([sideOf(lesson.insight), where, shownAs(counted)]) : lesson.shown.id;
    const first = folded.get(key);
    folded.set(key, first ? together(first, lesson) : lesson);
  }
  return weighVotes([...folded.values()]);
}

/** What it changed, where it changed anything: runs that looked up more or less on the way agree. */
function decisive(actions: readonly Action[]): readonly Action[] {
  const changes = actions.filter((action) => effectsOf(action).length > 0);
  return changes.length > 0 ? changes : actions;
}

/** Told as the first, with the runs of both. */
export function together<One extends Unvoted>(first: One, other: Unvoted): One {
  const runs = new Set([...first.runs, ...other.runs]);
  return {
    ...first,
    runs,
    support: runs.size,
    sourceJobIds: [...new Set([...first.sourceJobIds, ...other.sourceJobIds])],
    votes: { helped: first.votes.helped + other.votes.helped, harmed: first.votes.harmed + other.votes.harmed },
  };
}

/** Of those that fit the task as well as the first: what most runs wrote, letter by letter. */
function mostAgreed(members: readonly JudgedHit[]): JudgedHit {
  const first = members[0] as JudgedHit;
  const near = members.filter(
    ({ relation, hit, insight }) =>
      relation === first.relation &&
      insight.kind === first.insight.kind &&
      (relation !== 'alike' || hit.intent === first.hit.intent),
  );
  const runsWith = (example: string | undefined) =>
    distinct(near.filter((member) => member.example === example).map(({ hit }) => hit.origin.bodyDigest)).size;
  return near.reduce((best, next) => (runsWith(next.example) > runsWith(best.example) ? next : best), first);
}

const relationOrder = { same: 0, variant: 1, alike: 2 } as const;
const kindOrder = { strategy: 0, recovery: 1, pitfall: 2 } as const;

function nearestFirst(a: JudgedHit, b: JudgedHit): number {
  return (
    relationOrder[a.relation] - relationOrder[b.relation] ||
    kindOrder[a.insight.kind] - kindOrder[b.insight.kind] ||
    b.nearness - a.nearness ||
    b.insight.confidence - a.insight.confidence ||
    b.hit.score - a.hit.score ||
    (a.hit.id < b.hit.id ? -1 : 1)
  );
}

function distinct<Value>(values: readonly Value[]): Set<Value> {
  return new Set(values);
}
