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
  return kind === 'call' && args !== undefined && Object.keys(args).every((name, at) => name === String(at));
}

const mostWordsOfLabel = 5;

function isLabel(value: string): boolean {
  return value.split(/\s+/).length <= mostWordsOfLabel && identifyingValues(value).length === 0;
}

interface Use {
  intent: string;
  /** The values of the run that no tool's constant looks like: they tell whose case it is. */
  own: readonly string[];
}

/**
 * Values that a tool takes whatever the case: the same argument had them at different tasks, in runs of different cases. Four
 * runs for one customer, in four wordings, are one case.
 */
function constantsIn(hits: readonly JudgedHit[], read: ReadExample): Set<string> {
  const uses = new Map<string, Use[]>();
  let cases: ReadonlySet<string>[] = [];
  for (const { hit, insight } of hits) {
    const pairs = pairsOf(insight.example === undefined ? [] : read(insight.example));
    const own = pairs.flatMap(([, value]) => (!constantForm.test(value) && value.length > 3 ? value : []));
    for (const [name, value] of pairs) {
      const key = `${name}=${value}`;
      if (constantForm.test(value)) uses.set(key, [...(uses.get(key) ?? []), { intent: hit.intent, own }]);
    }
    // Runs that share such a value are of one case.
    const same = cases.filter((one) => own.some((value) => one.has(value)));
    cases = [...cases.filter((one) => !same.includes(one)), new Set([...own, ...same.flatMap((one) => [...one])])];
  }
  const caseOf = ({ own: [value = ''] }: Use) => cases.find((one) => one.has(value));
  const constant = [...uses].filter(([, ofValue]) => {
    const ofCases = new Set(ofValue.map(caseOf).filter((one) => one !== undefined));
    return ofCases.size > 1 && new Set(ofValue.map(({ intent }) => intent)).size > 1;
  });
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
