/** What an expression asks of the metrics that there are. */
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
 * Reads an expression as far as its names go: a word before a parenthesis is a function, one that is no keyword is a metric.
 * Throws on what it does not know, rather than overlook a name. Ranges may hold Grafana's variables.
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
