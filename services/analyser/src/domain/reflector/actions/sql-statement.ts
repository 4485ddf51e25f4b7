import { listed } from '../bounded-text.js';

const statement =
  /^(select|insert|update|delete|with|create|alter|drop|show|describe|desc|explain|pragma|replace|merge|truncate)\b/i;
const plausible: Readonly<Record<string, RegExp>> = {
  select: /\bfrom\b|^select\s+[\w'"(*@]/i,
  insert: /\binto\b/i,
  update: /\bset\b/i,
  delete: /\bfrom\b/i,
  with: /\bas\s*\(/i,
  create: /^create (?:or replace )?(?:temp |temporary |unique )?(?:table|view|index|database|function|trigger)/i,
  alter: /^alter (?:table|view|index)/i,
  drop: /^drop (?:table|view|index|database)/i,
  show: /^show (?:tables|columns|databases|create|index|schemas|full)/i,
  describe: /^describe [\w`".]+;?$/i,
  desc: /^desc [\w`".]+;?$/i,
  explain: /\bselect\b/i,
  pragma: /^pragma \w+/i,
  replace: /\binto\b/i,
  merge: /\binto\b/i,
  truncate: /^truncate (?:table )?[\w`".]+;?$/i,
};

const scanLimit = 4_000;

/** The kind of SQL statement, or undefined for what is none. */
export function readSqlVerb(text: string): string | undefined {
  const head = text.slice(0, scanLimit);
  const verb = statement.exec(head)?.[1]?.toLowerCase();
  if (verb === undefined || isSentence(head)) return undefined;
  return plausible[verb]?.test(head) ? verb : undefined;
}

/** "Select one from the list." begins like a statement and ends like a sentence. */
function isSentence(text: string): boolean {
  return /[.?!:]\s*$/.test(text.slice(-20)) && !/[*=();]/.test(text);
}

/** Statements that only tell what there is. */
export function readsSchema(text: string): boolean {
  return /^(?:show|describe|desc|pragma)\b|information_schema|sqlite_master|pg_catalog/i.test(text.slice(0, scanLimit));
}

const features: readonly [RegExp, string][] = [
  [/^with\b/i, 'common table expressions (`WITH`)'],
  [/\bleft (?:outer )?join\b/i, 'a `LEFT JOIN` (rows without a partner stay)'],
  [/\b(?:inner )?join\b/i, 'joins on the keys'],
  [/\bnot exists\b/i, '`NOT EXISTS`'],
  [/\bnot in\s*\(\s*select\b/i, '`NOT IN (SELECT …)`'],
  [/\bcase when\b/i, '`CASE WHEN`'],
  [/\bover\s*\(/i, 'a window function (`OVER`)'],
  [/\bcount\s*\(\s*distinct\b/i, '`COUNT(DISTINCT …)`'],
  [/\bselect distinct\b/i, '`DISTINCT`'],
  [/\bgroup by\b/i, '`GROUP BY`'],
  [/\bhaving\b/i, '`HAVING` on the groups'],
  [/\bunion\b/i, '`UNION`'],
  [/(?<!not )\bin\s*\(\s*select\b|=\s*\(\s*select\b|from\s*\(\s*select\b/i, 'a subquery'],
  [/\blower\s*\(|\bilike\b|\bcollate nocase\b/i, 'a comparison that ignores case'],
  [/\blike\b/i, '`LIKE`'],
  [/\bbetween\b/i, '`BETWEEN`'],
  [/\bis (?:not )?null\b/i, 'a test for NULL'],
  [/\bcoalesce\s*\(|\bifnull\s*\(/i, '`COALESCE` for missing values'],
  [/\bcast\s*\(|::\w+/i, 'a cast of the type'],
  [/\border by\b[^)]{0,200}\blimit 1\b/i, 'ordering with `LIMIT 1`'],
  [/\border by\b/i, '`ORDER BY`'],
  [/\bon conflict\b|\bon duplicate key\b/i, 'an upsert (`ON CONFLICT`)'],
  [/\breturning\b/i, '`RETURNING`'],
];

const notFunctions =
  /^(?:select|from|where|and|or|in|on|as|exists|values|join|using|not|by|case|when|then|else|with|into|over|partition|interval|set|having|limit|union|all|any|between|like|cast|coalesce|lower)$/i;

/** How a statement does its work, without its tables and values: "joins on the keys, `GROUP BY` and `ORDER BY`". */
export function describeSql(text: string): string {
  return listed(sqlFeatures(text));
}

export function sqlFeatures(text: string): string[] {
  const head = text.slice(0, scanLimit);
  const found = features.filter(([pattern]) => pattern.test(head)).map(([, words]) => words);
  const names = found
    .filter((words) => words !== 'joins on the keys' || !found.some((other) => other.includes('LEFT JOIN')))
    .filter((words) => words !== '`ORDER BY`' || !found.includes('ordering with `LIMIT 1`'));
  const called = [...head.matchAll(/\b([A-Za-z_]{3,24})\s?\(/g)].map(([, name = '']) => name);
  const functions = [...new Set(called.filter((name) => !notFunctions.test(name)))].slice(0, 4);
  return [...names.slice(0, 5), ...functions.map((name) => `\`${name}\``)];
}
