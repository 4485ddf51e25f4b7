import type { ScrapedMetric } from './metrics-page.js';

/** The metrics and labels that an expression uses. */
export interface NamesInPromql {
  selectors: Selector[];
  /** After `by`, `without`, `on`, `ignoring` and `group_…`. */
  grouping: string[];
}

export interface Selector {
  metric: string;
  /** Labels that it matches on. */
  labels: string[];
}

const comment = /#[^\n]*/y;
const string = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/y;
const range = /\[[^\]]*\]/y;
const number = /\$?\d[\w.]*(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z_:][\w:]*/y;
const sign = /=~|!~|!=|==|>=|<=|[-+*/%^=<>(){},@]/y;
const blank = /\s+/y;

const groupingWords = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const otherWords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'atan2', 'inf', 'nan', 'start', 'end']);

/**
 * Finds the names in an expression: a word before a parenthesis is a function, any other word but a keyword is a metric. Throws
 * on unknown syntax rather than overlook a name. Ranges may contain Grafana's variables.
 */
export function namesInPromql(expression: string): NamesInPromql {
  const tokens = tokensOf(expression);
  const found: NamesInPromql = { selectors: [], grouping: [] };
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at++] as string;
    if (token === '{') found.selectors.push(nameless(matchers()));
    if (!isWord(token)) continue;
    if (groupingWords.has(token)) {
      if (tokens[at] === '(') found.grouping.push(...listed());
    } else if (tokens[at] === '{') {
      at++;
      found.selectors.push({ metric: token, labels: matchers().map(({ label }) => label) });
    } else if (tokens[at] !== '(' && !otherWords.has(token) && !isAggregation(tokens[at])) {
      found.selectors.push({ metric: token, labels: [] });
    }
  }
  return found;

  /** `sum by (…) (…)`: the parenthesis comes after the grouping. */
  function isAggregation(next: string | undefined): boolean {
    return next === 'by' || next === 'without';
  }

  function listed(): string[] {
    const end = tokens.indexOf(')', at);
    const inside = tokens.slice(at + 1, end);
    at = end + 1;
    return inside.filter(isWord);
  }

  /** From after the brace to after its end. */
  function matchers(): Matcher[] {
    const end = tokens.indexOf('}', at);
    const inside = tokens.slice(at, end);
    at = end + 1;
    return inside.flatMap((token, index) => (isWord(token) ? [{ label: token, value: inside[index + 2] ?? '' }] : []));
  }
}

interface Matcher {
  label: string;
  value: string;
}

function nameless(matchers: Matcher[]): Selector {
  const named = matchers.find(({ label }) => label === '__name__');
  if (!named) throw new Error('A selector without a name');
  const labels = matchers.filter((matcher) => matcher !== named).map(({ label }) => label);
  return { metric: named.value.slice(1, -1), labels };
}

function isWord(token: string): boolean {
  return /^[A-Za-z_:]/.test(token);
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  const taken = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(expression)?.[0];
    if (match !== undefined) at += match.length;
    return match;
  };
  while (at < expression.length) {
    if (taken(blank) || taken(comment) || taken(range) || taken(number)) continue;
    const token = taken(string) ?? taken(word) ?? taken(sign);
    if (token === undefined) throw new Error(`Not understood: ${expression.slice(at, at + 20)}`);
    tokens.push(token);
  }
  return tokens;
}

/** Labels by the name of samples, as scraped or recorded. */
export type KnownNames = ReadonlyMap<string, ReadonlySet<string>>;

/** An expression and its location. */
export interface Placed {
  place: string;
  expression: string;
}

/** Prometheus and its operator add these to every metric. */
export const targetLabels: readonly string[] = ['namespace', 'pod', 'job', 'instance'];

/** Names in these expressions that nobody exports. */
export function unknownNames(expressions: readonly Placed[], known: KnownNames): string[] {
  return expressions.flatMap(({ place, expression }) => {
    const { selectors, grouping } = namesInPromql(expression);
    const problems: string[] = [];
    const everywhere = new Set(targetLabels);
    for (const { metric, labels } of selectors) {
      const own = known.get(metric);
      if (!own) {
        problems.push(`${place}: there is no metric ${metric}`);
        continue;
      }
      for (const label of own) everywhere.add(label);
      for (const label of labels) {
        if (!own.has(label) && !targetLabels.includes(label))
          problems.push(`${place}: ${metric} has no label ${label}`);
      }
    }
    for (const label of grouping)
      if (!everywhere.has(label)) problems.push(`${place}: nothing there has a label ${label}`);
    return problems;
  });
}

/** Sample names of a scrape: a histogram has buckets, a sum and a count. */
export function sampleNames(scraped: ReadonlyMap<string, ScrapedMetric>): KnownNames {
  return new Map(
    [...scraped].flatMap(([name, { type, labels }]): [string, ReadonlySet<string>][] =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, new Set([...labels, 'le'])],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
    ),
  );
}
