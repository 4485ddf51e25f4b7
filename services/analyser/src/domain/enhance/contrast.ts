import type { RunShape, SearchHit } from '@whetstone/contracts';

import { looksUp } from '../reflector/actions/action-role.js';
import type { Lesson } from './fold-hits.js';
import { createIsSameTask } from './same-task.js';

/** What the runs of one task that succeeded did and those that failed did not, and the reverse. */
export interface Contrast {
  succeeded: number;
  failed: number;
  onlySucceeded: string[];
  onlyFailed: string[];
}

interface Run {
  outcome: RunShape['outcome'];
  traits: ReadonlySet<string>;
}

const nearEnough = 0.75;
/** A trait tells the two sides apart where its share among one is larger by this than among the other. */
const telling = 0.6;
const mostTold = 3;

/**
 * Compares the runs at the task of an insight. Most failures end without any error: one run alone cannot tell why, but what
 * all that succeeded share and those that failed lack can. Only outcomes that callers have stated count.
 */
export function contrastAround(shown: SearchHit, hits: readonly SearchHit[]): Contrast | undefined {
  const isSameTask = createIsSameTask(shown.intent);
  const runs = new Map<string, Run>();
  for (const { intent, run, origin } of hits) {
    if (run.judged || run.outcome === 'unknown' || run.uses.length === 0 || runs.has(origin.bodyDigest)) continue;
    if (!isSameTask(intent)) continue;
    runs.set(origin.bodyDigest, { outcome: run.outcome, traits: traitsOf(run) });
  }
  const succeeded = [...runs.values()].filter(({ outcome }) => outcome === 'success');
  const failed = [...runs.values()].filter(({ outcome }) => outcome === 'failure');
  // It stands below the lesson that is shown, and may not speak against it.
  const own = traitsOf(shown.run);
  const onlySucceeded = tellingTraits(succeeded, failed).filter((trait) => own.has(trait));
  // To have looked something up has harmed nobody.
  const onlyFailed = tellingTraits(failed, succeeded).filter((trait) => !looksUp(trait) && !own.has(trait));
  if (succeeded.length === 0 || failed.length === 0 || onlySucceeded.length + onlyFailed.length === 0) return undefined;
  return { succeeded: succeeded.length, failed: failed.length, onlySucceeded, onlyFailed };
}

/** Adds, to the first strategy that is near enough to the task asked about, what sets the runs at its task apart. */
export function withContrast(lessons: readonly Lesson[], hits: readonly SearchHit[]): Lesson[] {
  if (!hits.some(({ run }) => run.outcome === 'failure')) return [...lessons];
  for (const lesson of lessons) {
    if (lesson.shown.insight.kind !== 'strategy' || lesson.relevance < nearEnough) continue;
    const contrast = contrastAround(lesson.shown, hits);
    if (contrast) return lessons.map((other) => (other === lesson ? { ...lesson, contrast } : other));
  }
  return [...lessons];
}

/** What a run used: each thing, each option of it, and that it was used several times. */
function traitsOf({ uses }: RunShape): Set<string> {
  const counts = new Map<string, number>();
  const traits = new Set<string>();
  for (const use of uses) {
    const [name = use, ...options] = use.startsWith('`') ? [use] : use.split(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
    traits.add(name);
    for (const option of options) traits.add(`${name} ${inOneOrder(name, option)}`);
  }
  for (const [name, count] of counts) if (count > 1) traits.add(`${name} ×${count}`);
  return traits;
}

/** `tar -xzf` and `tar -zxf` are one; `find` has long options behind one dash. */
function inOneOrder(name: string, option: string): string {
  return name === 'find' || !/^-[A-Za-z]{2,5}$/.test(option) ? option : `-${[...option.slice(1)].sort().join('')}`;
}

/** The most telling first; an option goes without saying where its program already tells. */
function tellingTraits(these: readonly Run[], others: readonly Run[]): string[] {
  const candidates = new Set(these.flatMap(({ traits }) => [...traits]));
  const told = [...candidates]
    .map((trait) => ({ trait, difference: shareOf(trait, these) - shareOf(trait, others) }))
    .filter(({ difference }) => difference >= telling)
    .sort((a, b) => b.difference - a.difference || (a.trait < b.trait ? -1 : 1))
    .map(({ trait }) => trait);
  const names = new Set(told);
  return told.filter((trait) => !trait.includes(' ') || !names.has(trait.split(' ', 1)[0] ?? '')).slice(0, mostTold);
}

function shareOf(trait: string, runs: readonly Run[]): number {
  return runs.length === 0 ? 0 : runs.filter(({ traits }) => traits.has(trait)).length / runs.length;
}

/** "Of 5 runs at this 2 succeeded: only they used `find -type`; only those that failed used `ls`." */
export function contrastInWords({ succeeded, failed, onlySucceeded, onlyFailed }: Contrast): string {
  const did =
    onlySucceeded.length === 0 ? [] : [`only ${succeeded === 1 ? 'it' : 'they'} used ${coded(onlySucceeded)}`];
  const didNot =
    onlyFailed.length === 0 ? [] : [`only ${failed === 1 ? 'the one' : 'those'} that failed used ${coded(onlyFailed)}`];
  return `Of ${succeeded + failed} runs at this ${succeeded} succeeded: ${[...did, ...didNot].join('; ')}.`;
}

function coded(traits: readonly string[]): string {
  return traits.map((trait) => (trait.includes('`') ? trait : `\`${trait}\``)).join(', ');
}
