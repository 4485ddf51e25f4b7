import type { Insight } from '@whetstone/contracts';

import { clip } from '../bounded-text.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { type RunReading, tasksLike } from '../run-reading.js';
import { exampleOf } from './example-of.js';

const shown = 8;

/** The orders that led to a success, without the search for what they needed. */
export function orderStrategy(run: RunReading): Insight | undefined {
  const clean = run.deeds.filter(({ action, outcome }) => action.kind === 'order' && outcome.kind !== 'error');
  const path = withoutRepeats(withoutSearching(clean)).slice(-shown);
  if (path.length === 0) return undefined;
  const steps = path.map(orderWords);
  const deeds = deedsAmong(path).map(orderWords);
  return {
    kind: 'strategy',
    title: clip(`Steps that worked: ${deeds.join(' → ')}`, 160),
    ...tasksLike(run),
    content: `These steps, in this order, did it: ${deeds.join(' → ')}.`,
    steps,
    example: exampleOf(...path.map(({ action }) => action)),
    polarity: 'success',
    evidence: path.map(({ turn }) => turn),
    confidence: run.judged ? 0.45 : 0.7,
  };
}

/** "take mug from shelf": which of several mugs it was belongs to the one run. */
export function orderWords({ action }: Step): string {
  return clip(generalise(action.text.replace(/ \d{1,3}\b/g, '')), 60);
}

/** Before each deed only the way that led to it: where it went last, and what it did there. */
function withoutSearching(path: readonly Step[]): Step[] {
  const kept: Step[] = [];
  let way: Step[] = [];
  for (const step of path) {
    if (step.role === 'look') {
      if (isGoing(step)) way = [step];
    } else if (/^(?:open|close)$/.test(step.action.name)) way.push(step);
    else {
      kept.push(...way, step);
      way = [];
    }
  }
  // What it ended with counts, whatever it was.
  return [...kept, ...way.filter((step) => !isGoing(step))];
}

function withoutRepeats(path: readonly Step[]): Step[] {
  return path.filter((step, at) => {
    const before = path[at - 1];
    return !before || orderWords(before) !== orderWords(step);
  });
}

function deedsAmong(path: readonly Step[]): readonly Step[] {
  const deeds = path.filter((step) => !isGoing(step));
  return deeds.length > 0 ? deeds : path;
}

function isGoing({ action }: Step): boolean {
  return (
    /^(?:go|walk|move|enter|teleport)$/.test(action.name) &&
    /^\w+ (?:to |into |in |north|south|east|west|up|down)/.test(action.text)
  );
}
