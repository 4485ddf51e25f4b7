import type { SqlToken } from './sql-tokens.js';

export const keywords = new Set(
  `ADD ALL ALTER ANALYZE AND ANY AS ASC ATTACH AUTOINCREMENT BEGIN BETWEEN BY CALL CASCADE CASE CAST CHECK COLLATE COLUMN
  COMMIT CONFLICT CONSTRAINT COPY CREATE CROSS CURRENT DATABASE DECLARE DEFAULT DELETE DESC DESCRIBE DETACH DISABLE DISTINCT DO DROP
  ELSE ENABLE END ESCAPE EXCEPT EXEC EXECUTE EXISTS EXPLAIN EXTENSION FETCH FILTER FOREIGN FROM FULL FUNCTION GLOB GRANT GROUP
  HAVING IF IGNORE ILIKE IN INDEX INNER INSERT INTERSECT INTERVAL INTO IS JOIN KEY LATERAL LEFT LIKE LIMIT LOAD MATERIALIZED MERGE
  NATURAL NOT NOTHING NULL NULLS OFFSET ON ONLY OR ORDER OUTER OVER PARTITION PRAGMA PRIMARY PRIVILEGES PROCEDURE PROGRAM PUBLIC
  RECURSIVE REFERENCES REGEXP REINDEX RENAME REPLACE RETURNING REVOKE RIGHT ROLE ROLLBACK ROW ROWS SCHEMA SELECT SEQUENCE SET
  SHOW START TABLE TEMP TEMPORARY THEN TO TOP TRANSACTION TRIGGER TRUNCATE TYPE UNION UNIQUE UPDATE USE USER USING VACUUM VALUES
  VIEW WHEN WHERE WINDOW WITH`.split(/\s+/),
);

export function upper(token: SqlToken | undefined): string {
  return token?.kind === 'word' ? token.text.toUpperCase() : '';
}

export function isName(token: SqlToken | undefined): boolean {
  return token !== undefined && (token.kind === 'name' || (token.kind === 'word' && !keywords.has(upper(token))));
}

const beforeTables = new Set([
  'FROM',
  'JOIN',
  'INTO',
  'UPDATE',
  'TABLE',
  'USING',
  'TRUNCATE',
  'COPY',
  'DESCRIBE',
  'DESC',
  'VIEW',
  'ON',
]);
const fromEnds = new Set(
  'WHERE GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT SET VALUES SELECT RETURNING ON WINDOW'.split(' '),
);

export interface Names {
  tables: string[];
  columns: string[];
}

/** Tables stand behind FROM, JOIN and their like, and behind a comma in FROM; other names are columns. */
export function namesIn(tokens: readonly SqlToken[], strings: ReadonlySet<number>): Names {
  const tables = new Set<string>();
  const others = new Set<string>();
  const aliases = new Set<string>();
  const inFrom: boolean[] = [false];
  const verb = upper(tokens[0]);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    const word = upper(token);
    if (token.text === '(') inFrom.push(false);
    else if (token.text === ')' && inFrom.length > 1) inFrom.pop();
    if (word === 'FROM') inFrom[inFrom.length - 1] = true;
    else if (fromEnds.has(word)) inFrom[inFrom.length - 1] = false;
    if (!isName(token) || strings.has(at)) continue;
    const before = skipWords(tokens, at - 1);
    let end = at;
    while (tokens[end + 1]?.text === '.' && tokens[end + 2] !== undefined) end += 2;
    const name = tokens
      .slice(at, end + 1)
      .map((part) => part.text.toLowerCase())
      .join('');
    const next = tokens[end + 1];
    if (next?.text === '(' && !beforeTables.has(upper(before))) {
      at = end;
      continue;
    }
    if (upper(before) === 'AS' && upper(next) !== 'AS') aliases.add(name);
    else if (upper(next) === 'AS' && tokens[end + 2]?.text === '(') aliases.add(name);
    else if (isTablePlace(before, verb) || (before?.text === ',' && inFrom.at(-1))) {
      tables.add(name);
      if (isName(next) && next !== undefined) aliases.add(next.text.toLowerCase());
    } else others.add(tokens[end]?.text.toLowerCase() ?? name);
    at = end;
  }
  for (const alias of aliases) tables.delete(alias);
  return { tables: [...tables], columns: [...others].filter((name) => !aliases.has(name) && !tables.has(name)) };
}

function isTablePlace(before: SqlToken | undefined, verb: string): boolean {
  const word = upper(before);
  return word === 'ON' ? verb === 'CREATE' || verb === 'GRANT' || verb === 'REVOKE' : beforeTables.has(word);
}

/** The token before, without `IF EXISTS`, `ONLY` and `DATABASE`-like words between. */
function skipWords(tokens: readonly SqlToken[], from: number): SqlToken | undefined {
  let at = from;
  while (at > 0 && ['IF', 'NOT', 'EXISTS', 'ONLY'].includes(upper(tokens[at]))) at -= 1;
  return tokens[at];
}
