import { isName, keywords, type SqlToken, tokenizeSql, upper } from './sql-tokens.js';

export interface SqlStatement {
  /** Main verb in upper case, also that of `WITH … DELETE`. */
  verb: string;
  /** Distinct, in lower case, in order, without names defined by `WITH`. */
  tables: string[];
  /** At the top level, outside sub-queries. */
  hasWhere: boolean;
  /** Keywords in upper case, names in lower case and quoted only if necessary, strings in single quotes. */
  tokens: string[];
}

const mostStatements = 1_000;
/** Nobody knows what it changes. */
const unknownVerb = '?';

/** Statements of a text that is SQL as a whole. Sentences such as “Select a seat” are not. */
export function readSql(text: string): SqlStatement[] | undefined {
  const first = /^[\s(]*(?:--[^\n]*\n\s*|\/\*[^*]*\*\/\s*)?(\p{L}+)/u.exec(text.slice(0, 2_000))?.[1];
  if (first === undefined || !Object.hasOwn(shapes, first.toUpperCase())) return undefined;
  const tokens = tokenizeSql(text);
  if (tokens === undefined || isSentence(tokens, text)) return undefined;
  const statements = splitStatements(tokens);
  if (statements.length === 0 || statements.length > mostStatements) return undefined;
  const [verb] = statements[0] as [SqlToken];
  const sure = statements.length > 1 || text.trimEnd().endsWith(';') || verb.text === verb.text.toUpperCase();
  if (!sure && isWeak(statements[0] ?? [])) return undefined;
  const read = statements.map(readStatement);
  const isKnown = read.some((statement) => statement !== undefined);
  const all = read.flatMap((statement, at) => statement ?? (isKnown ? (unknownStatement(statements[at]) ?? []) : []));
  return all.length === statements.length ? all : undefined;
}

/** Of a batch, one that only its dialect knows: `RECONFIGURE`. */
function unknownStatement(tokens: readonly SqlToken[] = []): SqlStatement | undefined {
  const [verb] = tokens;
  if (verb?.kind !== 'word' || !/^[A-Z_]{3,}$/.test(verb.text)) return undefined;
  return { verb: unknownVerb, tables: [], hasWhere: false, tokens: tokens.map((token) => written(token, false)) };
}

const otherTypes =
  'DATABASE|SCHEMA|TRIGGER|FUNCTION|PROCEDURE|SEQUENCE|TYPE|EXTENSION|ROLE|USER|LOGIN|DOMAIN|POLICY|SERVER|TABLESPACE|EVENT';
const objectTypes = `TABLE|INDEX|VIEW|MATERIALIZED|${otherTypes}`;
const tableChanges =
  'ADD|DROP|RENAME|ALTER|MODIFY|CHANGE|SET|DISABLE|ENABLE|OWNER|CONVERT|CHECK|NOCHECK|ATTACH|DETACH|RESET|VALIDATE';

/**
 * What must follow a verb, as alternatives: words in order, `|` between alternative words, `_` a name, `$` the end, `#` the
 * start of an expression, a quote for a string, `…` anything.
 */
const shapes: Record<string, string> = {
  SELECT: "… FROM _ or … FROM ( or … INTO _ or # or _ ( ) or _ ( '",
  WITH: '_ AS ( or RECURSIVE _ … AS ( or _ ( … AS (',
  VALUES: '(',
  INSERT: '… INTO _ … VALUES|SELECT|SET or _ … VALUES',
  REPLACE: 'INTO _ … VALUES|SELECT',
  UPDATE: '_ … SET _ … =',
  DELETE: 'FROM _ or _ FROM _',
  MERGE: 'INTO _ … USING or _ … USING',
  TRUNCATE: 'TABLE _ or _ $',
  DROP: `${objectTypes} _ or ${objectTypes} IF EXISTS _`,
  ALTER: `TABLE _ ${tableChanges} or TABLE IF EXISTS _ or TABLE ONLY _ or SYSTEM SET _ or ${otherTypes} _`,
  CREATE:
    '… TABLE _ … ( or … TABLE _ AS|LIKE or … TABLE IF NOT EXISTS _ or … VIEW _ … AS or … INDEX _ … ON or … INDEX ON or ' +
    `… ${otherTypes} _ or … ${otherTypes} IF NOT EXISTS _`,
  GRANT: '… TO _',
  REVOKE: '… FROM _',
  COPY: '_ … FROM|TO or ( … TO',
  EXEC: '_ or (',
  EXECUTE: '_ or (',
  CALL: '_ … (',
  ATTACH: '… AS _',
  DETACH: 'DATABASE _ or _ $',
  PRAGMA: '_ $ or _ = or _ (',
  EXPLAIN: '… SELECT|INSERT|UPDATE|DELETE',
  SHOW:
    'TABLES|DATABASES|SCHEMAS|COLUMNS|INDEX|INDEXES|VARIABLES|GRANTS|PROCESSLIST $|FROM|LIKE|IN or ' +
    'GRANTS FOR or CREATE TABLE|VIEW|DATABASE _ or FULL TABLES|COLUMNS|PROCESSLIST',
  DESCRIBE: '_ $ or TABLE _',
  DESC: '_ $ or TABLE _',
  USE: '_ $',
  SET: '… = or ROLE _ or SESSION _',
  BEGIN: '$ or TRANSACTION',
  START: 'TRANSACTION',
  COMMIT: '$ or TRANSACTION',
  ROLLBACK: '$ or TRANSACTION or TO _',
  SAVEPOINT: '_ $',
  END: '$',
  VACUUM: '$ or _ $ or FULL',
  ANALYZE: '$ or _ $',
  REINDEX: '$ or TABLE _ or DATABASE _',
  LOAD: 'DATA|XML _',
  RENAME: 'TABLE _ TO _',
  DISABLE: 'TRIGGER',
  DO: "'",
  DECLARE: '_ _',
  SHUTDOWN: '$',
};

/** Verbs that also start plain requests: in lower case and alone they are not SQL. */
const weakVerbs = new Set(
  (
    'USE EXEC EXECUTE DESCRIBE DESC BEGIN START COMMIT ROLLBACK END ANALYZE VACUUM SET SAVEPOINT SHUTDOWN DECLARE ' +
    'TRUNCATE DETACH CALL DO GRANT REVOKE'
  ).split(' '),
);
const strongObjects = new Set(['TABLE', 'DATABASE', 'SCHEMA', 'VIEW', 'OR', 'UNIQUE', 'TEMP', 'TEMPORARY']);

function isWeak(tokens: readonly SqlToken[]): boolean {
  const verb = upper(tokens[0]);
  if (verb === 'DROP' || verb === 'ALTER' || verb === 'CREATE') return !strongObjects.has(upper(tokens[1]));
  return weakVerbs.has(verb);
}

const determiners = new Set(['a', 'an', 'the', 'your', 'my', 'this']);

/** A column name and its type follow these. */
const definesColumn = new Set(['COLUMN', 'ADD', 'MODIFY', 'CHANGE']);

/** Prose: a determiner before another word, or sentence punctuation at the end. */
function isSentence(tokens: readonly SqlToken[], text: string): boolean {
  if (/\p{L}[.!?]$/u.test(text.trimEnd().slice(-2))) return true;
  return tokens.some((token, at) => {
    const next = tokens[at + 1];
    const bare = token.kind === 'word' && determiners.has(token.text.toLowerCase());
    const before = tokens[at - 1];
    const inList = before?.kind === 'operator' || definesColumn.has(upper(before));
    return bare && !inList && next?.kind === 'word' && !keywords.has(next.text.toUpperCase());
  });
}

function splitStatements(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [];
  let current: SqlToken[] = [];
  let blocks = 0;
  for (const token of tokens) {
    const word = token.kind === 'word' ? token.text.toUpperCase() : '';
    // Bodies of triggers and procedures contain statements.
    if (current[0]?.text.toUpperCase() === 'CREATE' && (word === 'BEGIN' || (blocks > 0 && word === 'CASE')))
      blocks += 1;
    if (blocks > 0 && word === 'END') blocks -= 1;
    if (token.text === ';' && token.kind === 'operator' && blocks === 0) {
      if (current.length > 0) statements.push(current);
      current = [];
    } else current.push(token);
  }
  if (current.length > 0) statements.push(current);
  return statements;
}

function readStatement(given: readonly SqlToken[]): SqlStatement | undefined {
  let wrapped = 0;
  while (given[wrapped]?.text === '(' && given.at(-1 - wrapped)?.text === ')') wrapped += 1;
  const tokens = wrapped > 0 ? given.slice(wrapped, -wrapped) : given;
  const start = tokens[0];
  const alternatives = shapes[upper(start)]?.split(' or ');
  if (!alternatives?.some((shape) => fits(tokens, shape))) return undefined;
  const verb = mainVerb(tokens);
  if (verb === undefined) return undefined;
  const strings = quotedStrings(tokens);
  return {
    verb,
    tables: tablesIn(tokens, strings),
    hasWhere: topLevelWords(tokens).includes('WHERE'),
    tokens: tokens.map((token, at) => written(token, strings.has(at))),
  };
}

function fits(tokens: readonly SqlToken[], shape: string): boolean {
  let at = 1;
  let anywhere = false;
  for (const part of shape.split(' ')) {
    if (part === '…') {
      anywhere = true;
      continue;
    }
    const alternatives = part.split('|');
    if (anywhere) while (at < tokens.length && !fitsAny(tokens[at], alternatives)) at += 1;
    if (!fitsAny(tokens[at], alternatives)) return false;
    // A qualified name is one name.
    if (part === '_') while (tokens[at + 1]?.text === '.' && tokens[at + 2] !== undefined) at += 2;
    anywhere = false;
    at += 1;
  }
  return true;
}

function fitsAny(token: SqlToken | undefined, alternatives: readonly string[]): boolean {
  return alternatives.some((part) => fitsPart(token, part));
}

function fitsPart(token: SqlToken | undefined, part: string): boolean {
  if (part === '$') return token === undefined;
  if (part === '_')
    return isName(token) || token?.kind === 'string' || token?.text === '?' || keywordNames.has(upper(token));
  if (part === '#')
    return token?.kind === 'number' || token?.kind === 'string' || '*@(-'.includes(token?.text[0] ?? ' ');
  if (part === "'") return token?.kind === 'string';
  return token?.kind === 'operator' ? token.text === part : upper(token) === part;
}

/** Keywords that are common names. */
const keywordNames = new Set('USER ROLE TYPE PUBLIC'.split(' '));

const bodyVerbs = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE']);

function mainVerb(tokens: readonly SqlToken[]): string | undefined {
  const first = upper(tokens[0]);
  // Only `EXPLAIN ANALYZE` executes the statement.
  const planOnly = first === 'EXPLAIN' && !tokens.slice(1, 8).some((token) => upper(token) === 'ANALYZE');
  if ((first !== 'WITH' && first !== 'EXPLAIN') || planOnly) return first === 'EXECUTE' ? 'EXEC' : first;
  return topLevelWords(tokens).find((word) => bodyVerbs.has(word));
}

/** Words outside parentheses, in upper case. */
function topLevelWords(tokens: readonly SqlToken[]): string[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.kind === 'operator' && token.text === '(') depth += 1;
    else if (token.kind === 'operator' && token.text === ')') depth -= 1;
    return depth === 0 && token.kind === 'word' ? [upper(token)] : [];
  });
}

const comparisons = new Set('= == <> != < > <= >= LIKE ILIKE GLOB REGEXP BETWEEN'.split(' '));

/** Indexes of double-quoted text that is compared or listed: SQLite and MySQL read it as a string. */
function quotedStrings(tokens: readonly SqlToken[]): Set<number> {
  const strings = new Set<number>();
  const lists: boolean[] = [];
  let closedList = false;
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    // Rows of VALUES are separated by commas.
    if (token.text === '(')
      lists.push(upper(before) === 'IN' || upper(before) === 'VALUES' || (before?.text === ',' && closedList));
    else if (token.text === ')') closedList = lists.pop() ?? false;
    if (token.kind !== 'name' || tokens[at + 1]?.text === '.' || before?.text === '.') continue;
    const compared = comparisons.has(before?.kind === 'operator' ? before.text : upper(before));
    if (compared || (lists.at(-1) === true && (before?.text === '(' || before?.text === ','))) strings.add(at);
  }
  return strings;
}

function written(token: SqlToken, isString: boolean): string {
  if (token.kind === 'string' || isString) return `'${token.text.replaceAll("'", "''")}'`;
  if (token.kind === 'name')
    return /^[A-Za-z_]\w{0,100}$/.test(token.text) ? token.text.toLowerCase() : `"${token.text}"`;
  if (token.kind !== 'word') return token.text === '==' ? '=' : token.text === '<>' ? '!=' : token.text;
  return keywords.has(token.text.toUpperCase()) ? token.text.toUpperCase() : token.text.toLowerCase();
}

const beforeTables = new Set('FROM JOIN INTO UPDATE TABLE USING TRUNCATE COPY DESCRIBE DESC VIEW ON'.split(' '));
const afterFrom = new Set('GROUP ORDER SELECT SET RETURNING'.split(' '));

/** Names after FROM, JOIN and the like, and after commas in FROM; without aliases and names defined by WITH. */
function tablesIn(tokens: readonly SqlToken[], strings: ReadonlySet<number>): string[] {
  const tables = new Set<string>();
  const aliases = new Set<string>();
  const inFrom: boolean[] = [false];
  const verb = upper(tokens[0]);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    const word = upper(token);
    if (token.text === '(') inFrom.push(false);
    else if (token.text === ')' && inFrom.length > 1) inFrom.pop();
    if (word === 'FROM') inFrom[inFrom.length - 1] = true;
    else if (afterFrom.has(word)) inFrom[inFrom.length - 1] = false;
    if (!isName(token) || strings.has(at)) continue;
    const before = skipWords(tokens, at - 1);
    const start = at;
    while (tokens[at + 1]?.text === '.' && tokens[at + 2] !== undefined) at += 2;
    const parts = tokens.slice(start, at + 1).map((part) => part.text.toLowerCase());
    const next = tokens[at + 1];
    const isTable = isTablePlace(before, verb) || (before?.text === ',' && inFrom.at(-1));
    if (next?.text === '(' && !beforeTables.has(upper(before))) continue;
    const isAlias = upper(before) === 'AS' && upper(next) !== 'AS';
    if (isAlias || (upper(next) === 'AS' && tokens[at + 2]?.text === '(')) aliases.add(parts.join(''));
    else if (isTable) {
      tables.add(parts.join(''));
      if (next !== undefined && isName(next)) aliases.add(next.text.toLowerCase());
    }
  }
  return [...tables].filter((name) => !aliases.has(name));
}

function isTablePlace(before: SqlToken | undefined, verb: string): boolean {
  const word = upper(before);
  return word === 'ON' ? verb === 'CREATE' || verb === 'GRANT' || verb === 'REVOKE' : beforeTables.has(word);
}

/** Skips `IF NOT EXISTS` and `ONLY` backwards. */
function skipWords(tokens: readonly SqlToken[], from: number): SqlToken | undefined {
  let at = from;
  while (at > 0 && ['IF', 'NOT', 'EXISTS', 'ONLY'].includes(upper(tokens[at]))) at -= 1;
  return tokens[at];
}
