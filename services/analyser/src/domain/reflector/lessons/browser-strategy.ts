import type { Insight } from '@whetstone/contracts';

import { namesWhatTheTaskNames, targetOf, taskWords } from '../actions/browser-action.js';
import { clip } from '../bounded-text.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { type RunReading, tasksLike } from '../run-reading.js';
import { exampleOf } from './example-of.js';

const shown = 8;
const targetChars = 58;

/** The path through the pages that led to a success, by what the elements are called and not by their ids. */
export function browserStrategy(run: RunReading): Insight | undefined {
  const path = run.deeds.filter(({ action, outcome }) => action.kind === 'browser' && outcome.kind !== 'error');
  const last = path.at(-1);
  if (!last) return undefined;
  const task = taskWords(run.intent);
  const steps = withoutRepeats(path.map((step) => wordsInGeneral(step, task, run.names))).slice(-shown);
  return {
    kind: 'strategy',
    title: clip(`Path that worked: ${steps.slice(-4).join(' → ')}`, 160),
    ...tasksLike(run),
    content: `Take this way, it worked: ${steps.join(' → ')}.`,
    steps,
    example: exampleOf(...path.slice(-4).map(({ action }) => action)),
    polarity: 'success',
    evidence: path.slice(-shown).map(({ turn }) => turn),
    confidence: run.judged ? 0.45 : 0.7,
  };
}

/** What the task itself names is another thing in the next one: the path says what it is there for. */
function wordsInGeneral(step: Step, task: ReadonlySet<string>, names: ReadonlySet<string>): string {
  const { action, label } = step;
  if (label !== undefined || !namesWhatTheTaskNames(action, task)) return browserWords(step, names);
  if (/^(?:search|lookup)$/.test(action.name)) return `${action.name} for words of the task`;
  return `${verbs[action.name] ?? action.name} what the task names`;
}

const verbs: Readonly<Record<string, string>> = {
  type: 'type into',
  fill: 'type into',
  select_option: 'select in',
  goto: 'go to',
};

/** "click button 'Add to cart'": the element by what it is called, since its id belongs to one page only. */
export function browserWords({ action, label }: Step, names?: ReadonlySet<string>): string {
  const verb = verbs[action.name] ?? action.name;
  if (label !== undefined) return clip(`${verb} ${generalise(label.slice(0, 60), names)}`, 70);
  const target = targetOf(action);
  if (/^(?:[a-z]?\d+)?$/i.test(target)) return action.name;
  const named = generalise(target, names);
  return named === '<id>' ? `${verb} an item by its id` : `${verb} “${clip(named, targetChars)}”`;
}

function withoutRepeats(items: readonly string[]): string[] {
  return items.filter((item, at) => item !== items[at - 1]);
}
