import { readSql } from './sql.js';

/** Statements in one spelling: names of tables instead of aliases, without words that change nothing. */
export function sqlForm(text: string): string | undefined {
  return readSql(text)
    ?.map(({ tokens }) => statementForm(tokens))
    .join('; ');
}

const needless = new Set(['INNER', 'OUTER', 'ASC']);
const beforeTable = new Set(['FROM', 'JOIN', 'UPDATE', 'INTO', 'USING']);

function statementForm(given: readonly string[]): string {
  const tokens = given.filter((token) => !needless.has(token));
  const { names, dropped } = aliasesIn(tokens);
  const kept = tokens.filter((_, at) => !dropped.has(at));
  const tables = new Set(names.values());
  const alone = tables.size === 1 && names.size <= 2;
  const written: string[] = [];
  for (let at = 0; at < kept.length; at++) {
    const token = kept[at] as string;
    const isPrefix = kept[at + 1] === '.' && kept[at - 1] !== '.';
    const table = isPrefix ? names.get(token) : undefined;
    // With one table its name before a column says nothing.
    if (table !== undefined && alone) at += 1;
    else written.push(table ?? token);
  }
  return written.join(' ').replaceAll(' . ', '.').replaceAll(' ( ', '(').replaceAll(' )', ')');
}

interface Aliases {
  /** Every name that a table is called by, and the table. */
  names: Map<string, string>;
  /** Places of `AS a`. */
  dropped: Set<number>;
}

function aliasesIn(tokens: readonly string[]): Aliases {
  const names = new Map<string, string>();
  const dropped = new Set<number>();
  const used = new Map<string, number>();
  let inFrom = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string;
    if (token === 'FROM') inFrom = true;
    else if (/^(?:WHERE|GROUP|ORDER|HAVING|LIMIT|ON|\(|\))$/.test(token)) inFrom = false;
    const before = tokens[at - 1] ?? '';
    const isTable = isName(token) && (beforeTable.has(before) || (inFrom && before === ','));
    if (!isTable) continue;
    let end = at;
    while (tokens[end + 1] === '.' && tokens[end + 2] !== undefined) end += 2;
    const table = tokens.slice(at, end + 1).join('');
    const alias = tokens[end + 1] === 'AS' ? end + 2 : end + 1;
    const times = (used.get(table) ?? 0) + 1;
    used.set(table, times);
    // The same table twice is told apart by its number.
    const called = times === 1 ? table : `${table}#${times}`;
    if (!names.has(table)) names.set(table, called);
    if (isName(tokens[alias])) {
      names.set(tokens[alias] as string, called);
      for (let place = end + 1; place <= alias; place++) dropped.add(place);
    }
    at = end;
  }
  return { names, dropped };
}

function isName(token: string | undefined): boolean {
  return token !== undefined && /^(?:[a-z_@#]|")/.test(token);
}
