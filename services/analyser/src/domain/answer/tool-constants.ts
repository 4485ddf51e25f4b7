import type { Action, Literal } from '@whetstone/reading';

import type { ReadExample } from './fold-lessons.js';
import { taskNameOf } from './hit-names.js';
import type { JudgedHit } from './judge-hits.js';

/** Looks like an enum value of a tool, not like a name, an id or an amount. */
export const constantForm = /^[a-z][a-z_]{1,30}$/;

interface Use {
  task: string;
  /** Values that do not look like tool constants; they identify the case. */
  identifying: readonly string[];
}

/**
 * Tool constants: values that the same argument had at different tasks and in different cases. Four runs for one
 * customer, in four wordings, are one case.
 */
export function constantsIn(hits: readonly JudgedHit[], read: ReadExample): Set<string> {
  const uses = new Map<string, Use[]>();
  let cases: ReadonlySet<string>[] = [];
  for (const { hit, insight } of hits) {
    const pairs = pairsOf(insight.example === undefined ? [] : read(insight.example));
    const identifying = pairs.flatMap(([, value]) => (!constantForm.test(value) && value.length > 3 ? value : []));
    for (const [name, value] of pairs) {
      const key = `${name}=${value}`;
      if (constantForm.test(value)) uses.set(key, [...(uses.get(key) ?? []), { task: taskNameOf(hit), identifying }]);
    }
    // Runs that share an identifying value belong to the same case.
    const same = cases.filter((values) => identifying.some((value) => values.has(value)));
    cases = [
      ...cases.filter((values) => !same.includes(values)),
      new Set([...identifying, ...same.flatMap((values) => [...values])]),
    ];
  }
  const caseOf = ({ identifying: [value = ''] }: Use) => cases.find((values) => values.has(value));
  const constant = [...uses].filter(([, usesOfValue]) => {
    const distinctCases = new Set(usesOfValue.map(caseOf).filter((found) => found !== undefined));
    return distinctCases.size > 1 && new Set(usesOfValue.map(({ task }) => task)).size > 1;
  });
  return new Set(constant.flatMap(([key]) => [key, key.slice(key.indexOf('=') + 1)]));
}

type Pair = readonly [name: string, value: string];

export function pairsOf(actions: readonly Action[]): Pair[] {
  return actions.flatMap(({ args = {} }) => Object.entries(args).flatMap(([name, value]) => leavesOf(name, value, 0)));
}

const maxDepth = 8;

function leavesOf(name: string, value: Literal, depth: number): Pair[] {
  if (depth > maxDepth || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(name, item, depth + 1));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([inner, item]) => leavesOf(inner, item, depth + 1));
  return [[name, String(value)]];
}
