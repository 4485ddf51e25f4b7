/** `word`: a keyword or unquoted name; `name`: a quoted name; `string`: content without quotes. */
export interface SqlToken {
  kind: 'word' | 'name' | 'string' | 'number' | 'operator';
  text: string;
}

const longestText = 200_000;

/** Strings, including `E'…'` and `$a$…$a$`, and quoted names. `[` right after a name is an index. */
const quotedToken =
  /(?<string>[eE]'(?:\\[\s\S]|[^'\\]|'')*'(?!')|[nNxXbB]?'(?:[^']|'')*'(?!')|(?<dollars>\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\k<dollars>)|(?<name>"(?:[^"]|"")*"(?!")|`(?:[^`]|``)*`(?!`)|(?<![\w"`\])])\[[^\]]*\])/y;
/** Everything else. Unterminated strings and comments do not match. */
const plainToken =
  /(?!\$\w*\$)(?:(?<blank>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_@#$]*|[@#$:?%][\p{L}\p{N}_@#$]+)|(?<operator><=>|->>?|\|\||[<>!:=]=|<>|::|\/(?!\*)|(?<=[\w"`\])])\[|[()+\-*%,.;<>=!~&|^?\]{}:@#$\\…]))/uy;

/** Tokens without comments; undefined if something is unterminated or not SQL. */
export function tokenizeSql(text: string): SqlToken[] | undefined {
  if (text.length > longestText) return undefined;
  const tokens: SqlToken[] = [];
  for (let at = 0; at < text.length; ) {
    quotedToken.lastIndex = at;
    plainToken.lastIndex = at;
    const found = quotedToken.exec(text) ?? plainToken.exec(text);
    if (!found) return undefined;
    const { string, dollars, name, number, word, operator } = found.groups ?? {};
    if (string !== undefined) tokens.push({ kind: 'string', text: contentOf(string, dollars) });
    else if (name !== undefined) tokens.push({ kind: 'name', text: contentOf(name) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    at += found[0].length;
  }
  return tokens;
}

/** Strips quotes and unescapes doubled ones. */
function contentOf(quoted: string, dollars?: string): string {
  if (dollars !== undefined) return quoted.slice(dollars.length, -dollars.length);
  const quote = quoted.at(-1) as string;
  const start = quote === ']' ? 1 : quoted.indexOf(quote) + 1;
  return quoted.slice(start, -1).replaceAll(quote + quote, quote);
}

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
