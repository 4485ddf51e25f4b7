import type { RunShape, SearchHit } from '@whetstone/contracts';
import { type Action, type ActionKind, contentWords, jaccard, objectsOf } from '@whetstone/reading';

import { isRisky } from './admit-lessons.js';
import { hintFrom, isCommand } from './command-hints.js';
import type { Lesson } from './fold-lessons.js';
import { doubtful } from './judge-hits.js';

/**
 * How a lesson is told. `example`: with its task. `way`: another one at the same task. `words`: what it says, without an example.
 * Of commands at tasks that are only alike: as a `hint` the programs and options of one, or the programs that most of them used.
 */
export interface Chosen {
  lesson: Lesson;
  as: 'example' | 'way' | 'recovery' | 'hint' | 'words' | { programs: readonly string[] };
}

export interface Choice {
  maxRecommendations: number;
  /** How tasks like the one asked about end, where that is known. */
  end?: LikelyEnd | undefined;
}

/** At the very task: an agent that is shown many mixes them. */
const mostWays = 2;
const mostIdeas = 3;
/** Of what is alike, so many are read: to read an example takes time. */
const mostRead = 10;
const weights = { confidence: 0.2, support: 0.05, same: 0.1, end: 0.3, likeness: 0.15 };
const mostSupport = 8;
/** Where so many runs agree on a way, what one run did otherwise may have been luck. */
const severalRuns = 4;
/** From this share on the others are left out that ended otherwise. */
const manyEndSo = 0.3;
/** What was answered in a talk is told of the nearest one alone, which has to be as near as this. */
const talkFloor = 0.6;

/** What can be told of a task that is only alike: the parts of which nobody can copy the wrong thing to do. */
const structured: ReadonlySet<ActionKind> = new Set(['sql', 'call', 'http', 'edit', 'code']);

/**
 * What to say, in the order in which to say it. Where something is known to work at the very task, that alone; else a few ideas
 * from tasks that are alike, and at most one caution. What failed never speaks against what works.
 */
export function chooseLessons(lessons: readonly Lesson[], choice: Choice): Chosen[] {
  const ranked = rank(withConsensus(lessons), choice);
  const own = ranked.filter(({ relation }) => relation !== 'alike');
  const working = surest(own.filter(isAdvice));
  const chosen = working.length > 0 ? chooseOwn(working) : [...chooseAlike(ranked, choice), ...cautionOf(own)];
  return chosen.slice(0, choice.maxRecommendations);
}

/** What led to a success. */
function isAdvice({ insight }: Lesson): boolean {
  return insight.kind !== 'pitfall' && insight.polarity === 'success';
}

function rank(lessons: readonly (Lesson & { consensus: number })[], { end }: Choice): Lesson[] {
  const scores = new Map(lessons.map((lesson) => [lesson, scoreOf(lesson, end)]));
  return [...lessons].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
}

function scoreOf(lesson: Lesson & { consensus: number }, end: LikelyEnd | undefined): number {
  const { nearness, relation, insight, consensus, voteShift } = lesson;
  const agreed = weights.support * Math.log2(Math.min(consensus, mostSupport));
  const ended = end && endsSo(lesson, end) ? weights.end * end.share : 0;
  const same = relation === 'same' ? weights.same : 0;
  return nearness + weights.confidence * insight.confidence + agreed + voteShift + same + ended;
}

function endsSo({ shown }: Lesson, end: LikelyEnd): boolean {
  return endOf(shown.run) === end.changes;
}

/** What says only that it ended well, and not by what, is told where nobody knows more. */
function surest(lessons: readonly Lesson[]): Lesson[] {
  const sure = lessons.filter(({ insight }) => insight.confidence >= doubtful);
  return [...(sure.length > 0 ? sure : lessons)];
}

function chooseOwn(working: readonly Lesson[]): Chosen[] {
  const strategies = working.filter(({ insight }) => insight.kind === 'strategy');
  // With other values it may have to end otherwise.
  const same = strategies.filter(({ relation }) => relation === 'same');
  const ways = waysOf(same.length > 0 ? same : strategies);
  if (ways.length === 0) return working.slice(0, 1).map((lesson) => ({ lesson, as: 'recovery' }));
  return ways.map((lesson, at) => ({ lesson, as: telling(lesson, at > 0 && ways[0]?.example !== undefined) }));
}

/**
 * Runs that did nearly the same speak for each other: of several ways that one run each took, the one is told first that has most
 * in common with the others.
 */
function withConsensus(lessons: readonly Lesson[]): (Lesson & { consensus: number })[] {
  const own = lessons.filter((lesson) => lesson.relation !== 'alike' && isAdvice(lesson));
  const words = new Map(own.map((lesson) => [lesson, new Set(lesson.forms.join(' ').split(/\s+/))]));
  const likeness = (a: Lesson, b: Lesson) => jaccard(words.get(a) ?? new Set(), words.get(b) ?? new Set());
  return lessons.map((lesson) => ({
    ...lesson,
    consensus: words.has(lesson)
      ? own.reduce((sum, other) => sum + other.support * (other === lesson ? 1 : likeness(lesson, other)), 0)
      : lesson.support,
  }));
}

function telling({ example }: Lesson, isFurther: boolean): Chosen['as'] {
  if (example === undefined) return 'words';
  return isFurther ? 'way' : 'example';
}

/** Different ways to do the task; where the best could do harm it alone, and nothing that could beside another. */
function waysOf(strategies: readonly Lesson[]): Lesson[] {
  const [best] = strategies;
  if (!best || isRisky(best)) return best ? [best] : [];
  const safe = strategies.filter((lesson) => !isRisky(lesson));
  const isAgreed = best.support >= severalRuns;
  const others = safe.filter(
    (lesson) => lesson !== best && !contains(lesson, best) && (!isAgreed || lesson.support > 1),
  );
  return [best, ...others].slice(0, mostWays);
}

/** The same with something more, which was not needed: it is no other way. */
function contains(lesson: Lesson, best: Lesson): boolean {
  return best.forms.length > 0 && lesson.forms.join('\n').includes(best.forms.join('\n'));
}

/** The caution is told in words, and about the very task only: what was seen before what a model thinks of it. */
function cautionOf(own: readonly Lesson[]): Chosen[] {
  const failed = own.filter(({ insight, relation }) => insight.polarity === 'failure' && relation === 'same');
  const lesson = failed.find(({ insight }) => insight.rule !== 'model') ?? failed[0];
  return lesson ? [{ lesson, as: 'words' }] : [];
}

function chooseAlike(ranked: readonly Lesson[], { end }: Choice): Chosen[] {
  const advice = ranked.filter((lesson) => lesson.relation === 'alike' && isAdvice(lesson));
  const strategies = advice.filter(({ insight }) => insight.kind === 'strategy').slice(0, mostRead);
  const reworded = strategies.find(({ difference, example }) => difference && example !== undefined);
  if (reworded) return [{ lesson: reworded, as: 'example' }];
  const said = strategies
    .filter((lesson) => !isStructured(lesson) && !isCommand(lesson) && mayBeSaid(lesson))
    .filter((lesson, at, all) => !all.slice(0, at).some((before) => saysTheSame(before, lesson)));
  const chosen = chooseDifferent(onceLooked(endingSo(strategies.filter(isStructured), end)));
  // Where rules are known, one of them is worth more than a third example.
  const shown = said.some(({ insight }) => insight.rule === 'rule') ? chosen.slice(0, mostIdeas - 1) : chosen;
  const ideas: Chosen[] = shown.length > 0 ? shown : hintFrom(strategies);
  const words = said.slice(0, mostIdeas - ideas.length).map((lesson): Chosen => ({ lesson, as: 'words' }));
  const recoveries = advice.filter(({ insight }) => insight.kind === 'recovery' && insight.scope === 'error');
  return [...ideas, ...words, ...recoveryBeside(ideas, recoveries.slice(0, mostRead))];
}

/** An answer is to its question; what was said in a talk may do for one that is nearly the same; a rule holds for others too. */
function mayBeSaid(lesson: Lesson): boolean {
  const { insight, shown } = lesson;
  return isTalk(lesson) ? shown.similarity >= talkFloor : insight.rule !== 'reply';
}

/** Of talks one is enough. */
function saysTheSame(before: Lesson, lesson: Lesson): boolean {
  const [said, says] = [before, lesson].map(({ insight }) => contentWords(insight.content));
  return (isTalk(before) && isTalk(lesson)) || jaccard(said ?? new Set(), says ?? new Set()) >= 0.5;
}

function isTalk({ insight }: Lesson): boolean {
  return insight.rule === 'talk';
}

function isStructured(lesson: Lesson): boolean {
  return lesson.actions().some(({ kind }) => structured.has(kind));
}

/** That nothing was changed is told once. */
function onceLooked(lessons: readonly Lesson[]): Lesson[] {
  const first = lessons.find(({ insight }) => insight.rule === 'looked');
  return lessons.filter((lesson) => lesson === first || lesson.insight.rule !== 'looked');
}

/** What may be shown of a lesson at a task that is only alike. */
export function structuredActions({ actions }: Pick<Lesson, 'actions'>): Action[] {
  return actions().filter(({ kind }) => structured.has(kind));
}

/** Where many tasks like this one end in one way, only lessons of runs that ended so. */
function endingSo(lessons: readonly Lesson[], end: LikelyEnd | undefined): readonly Lesson[] {
  if (!end || end.share < manyEndSo) return lessons;
  const so = lessons.filter((lesson) => endsSo(lesson, end));
  return so.length > 0 ? so : lessons;
}

/** A few that differ in what they are about: each brings a table, a tool or a file that those before it do not. */
function chooseDifferent(lessons: readonly Lesson[]): Chosen[] {
  const left = lessons.map((lesson, at) => ({
    lesson,
    objects: objectsIn(structuredActions(lesson)),
    rank: -0.02 * at,
  }));
  const chosen: typeof left = [];
  while (chosen.length < mostIdeas) {
    const likeness = (objects: ReadonlySet<string>) =>
      Math.max(0, ...chosen.map((one) => jaccard(one.objects, objects)));
    const [best] = left
      .filter(({ objects }) => likeness(objects) < 1)
      .map((one) => ({ one, score: one.rank - weights.likeness * likeness(one.objects) }))
      .sort((a, b) => b.score - a.score);
    if (!best) break;
    chosen.push(best.one);
    left.splice(left.indexOf(best.one), 1);
  }
  return chosen.map(({ lesson }) => ({ lesson, as: 'example' }));
}

function objectsIn(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(objectsOf));
}

/** A way out of an error, where what is told could run into it and does not show the way already. */
function recoveryBeside(ideas: readonly Chosen[], recoveries: readonly Lesson[]): Chosen[] {
  const told = new Set(ideas.flatMap(({ lesson }) => lesson.forms));
  const concerned = new Set(ideas.flatMap(({ lesson }) => lesson.actions().flatMap(objectsOf)));
  const found = recoveries.find(
    (lesson) =>
      !isTold(lesson.forms, told) &&
      structuredActions(lesson).length > 0 &&
      lesson
        .actions()
        .flatMap(objectsOf)
        .some((object) => concerned.has(object)),
  );
  return found ? [{ lesson: found, as: 'recovery' }] : [];
}

function isTold(forms: readonly string[], told: ReadonlySet<string>): boolean {
  return forms.length > 0 && forms.every((form) => told.has(form));
}

/** How tasks like the one asked about end: the set of changes that most of their runs made, and its share of all. */
export interface LikelyEnd {
  changes: string;
  share: number;
}

/**
 * Lets the neighbours vote, each as much as it is near. Requests in like words can end in different ways, and what most of forty
 * came to says more than what the nearest did. Only runs count of which callers said that they succeeded.
 */
export function likelyEnd(hits: readonly SearchHit[]): LikelyEnd | undefined {
  const weights = new Map<string, number>();
  const counted = new Set<string>();
  let all = 0;
  for (const { run, origin, similarity } of hits) {
    const changes = endOf(run);
    if (changes === undefined || run.judged || run.outcome !== 'success' || counted.has(origin.bodyDigest)) continue;
    counted.add(origin.bodyDigest);
    const weight = Math.max(0, similarity) ** 2;
    weights.set(changes, (weights.get(changes) ?? 0) + weight);
    all += weight;
  }
  // Where nobody changes anything, that says nothing.
  if (all === 0 || [...weights.keys()].every((changes) => changes === '')) return undefined;
  const [changes, weight] = [...weights].reduce((most, next) => (next[1] > most[1] ? next : most));
  return { changes, share: weight / all };
}

/** Undefined where it is not known: rows from before it was. */
export function endOf(run: Pick<Partial<RunShape>, 'changes'>): string | undefined {
  return run.changes && [...new Set(run.changes)].sort().join('\n');
}
