import { type Action, identifyingValues, type Literal, maskText, shapeOfAction, valuesOf } from '@whetstone/reading';

import { structuredActions } from './choose-lessons.js';
import type { ReadExample, Unvoted } from './fold-lessons.js';
import type { JudgedHit } from './judge-hits.js';

/** What of a past run may be shown to whoever asks: what identifies another case is not. */
export interface Showing {
  /** The example as it may be shown; undefined where nothing of it may. */
  example(lesson: Unvoted): string | undefined;
  /** The task that a lesson was learnt at. */
  task(lesson: Unvoted): string;
  words(text: string): string;
}

/** A word out of a few that a tool takes: no name, no id, no amount. */
const constantForm = /^[a-z][a-z_]{1,30}$/;
const fewestTasks = 2;

export function createShowing(
  { task, contextText }: { task: string; contextText: string },
  hits: readonly JudgedHit[],
  read: ReadExample,
): Showing {
  const isGiven = valuesOf(`${task}\n${contextText}`);
  let constants: ReadonlySet<string> | undefined;

  function mayShow(value: string): boolean {
    if (isGiven(value)) return true;
    constants ??= constantsIn(hits, read);
    return constants.has(value);
  }

  return {
    example({ relation, verbatim, difference, example, actions }) {
      if (example === undefined) return undefined;
      const shown = relation === 'alike' && !difference ? structuredActions({ actions }) : actions();
      const texts = shown.map((action) => {
        if (verbatim && isOfTask(action)) return action.text;
        const isOfPage = relation === 'same' && isPlaced(action) ? isLabel : () => false;
        return shapeOfAction(action, (value) => mayShow(value) || isOfPage(value));
      });
      // Only what was read: what its effects were judged by.
      return texts.join('\n') || undefined;
    },
    task: ({ shown, verbatim }) => (verbatim ? task : maskText(shown.intent, mayShow)),
    words: (words) => maskText(words, mayShow),
  };
}

/** At the very task, what a command, a query or a file holds belongs to it; what a call is given may come from elsewhere. */
function isOfTask({ kind }: Action): boolean {
  return kind === 'command' || kind === 'sql' || kind === 'code' || kind === 'edit';
}

/** `click("text=Save")`: arguments without names are what a page or a world calls its things, more often than anybody's data. */
function isPlaced({ kind, args }: Action): boolean {
  return kind === 'call' && args !== undefined && Object.keys(args).every((name) => /^\d$/.test(name));
}

const mostWordsOfLabel = 5;

function isLabel(value: string): boolean {
  return value.split(/\s+/).length <= mostWordsOfLabel && identifyingValues(value).length === 0;
}

interface Use {
  intents: Set<string>;
  cases: Set<number>;
}

/**
 * Values that a tool takes whatever the case: the same argument had them at different tasks, in runs that share no value that
 * only one case has. Four runs for one customer, in four wordings, are one case.
 */
function constantsIn(hits: readonly JudgedHit[], read: ReadExample): Set<string> {
  const calls = hits.map(({ hit, insight }) => ({
    intent: hit.intent,
    pairs: pairsOf(insight.example === undefined ? [] : read(insight.example)),
  }));
  const caseOf = casesOf(calls.map(({ pairs }) => pairs));
  const uses = new Map<string, Use>();
  calls.forEach(({ intent, pairs }, at) => {
    for (const [name, value] of pairs) {
      if (!constantForm.test(value)) continue;
      const key = `${name}=${value}`;
      const use = uses.get(key) ?? { intents: new Set(), cases: new Set() };
      uses.set(key, { intents: use.intents.add(intent), cases: use.cases.add(caseOf[at] ?? 0) });
    }
  });
  const constant = [...uses].filter(([, { intents, cases }]) => Math.min(intents.size, cases.size) >= fewestTasks);
  return new Set(constant.map(([key]) => key.slice(key.indexOf('=') + 1)));
}

type Pair = readonly [name: string, value: string];

function pairsOf(actions: readonly Action[]): Pair[] {
  return actions.flatMap(({ args = {} }) => Object.entries(args).flatMap(([name, value]) => leavesOf(name, value, 0)));
}

const deepest = 8;

function leavesOf(name: string, value: Literal, depth: number): Pair[] {
  if (depth > deepest || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(name, item, depth + 1));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([inner, item]) => leavesOf(inner, item, depth + 1));
  return [[name, String(value)]];
}

/** Numbers the runs so that those with a value in common that no tool's constant looks like have one number. */
function casesOf(runs: readonly (readonly Pair[])[]): number[] {
  const numbers = runs.map((_, at) => at);
  const firstWith = new Map<string, number>();
  runs.forEach((pairs, at) => {
    const own = pairs.filter(([, value]) => !constantForm.test(value) && value.length > 3);
    // Nothing tells whose case it is: such runs are one.
    for (const [, value] of own.length > 0 ? own : [['', 'no case'] as const]) {
      const first = firstWith.get(value) ?? at;
      firstWith.set(value, first);
      const [kept, gone] = [numbers[first], numbers[at]];
      numbers.forEach((number, index) => {
        if (number === gone) numbers[index] = kept as number;
      });
    }
  });
  return numbers;
}
