import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

import { isDamage } from './find-damage.js';

/** Rows copied, by table. */
export type Salvaged = Record<string, number>;

/** Ends the search for rows behind a page that leads to thousands of others. */
const maxFailures = 20_000;
const batchRows = 100;

/**
 * Copies every row that can still be read into a new file with the same tables and indexes. Throws what SQLite says if not
 * even the list of tables can be read.
 */
export function salvageDatabase(from: string, to: string): Salvaged {
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  try {
    copySettings(source, target);
    const objects = source.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as Schema[];
    target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN');
    for (const { type, sql } of objects) if (type === 'table') target.exec(sql);
    const counts = objects
      .filter(({ type }) => type === 'table')
      .map(({ name, sql }): [string, number] => [name, copyTable(source, target, name, hasRowIds(sql))]);
    for (const { type, sql } of objects) if (type !== 'table') target.exec(sql);
    target.exec('COMMIT; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
    return Object.fromEntries(counts);
  } finally {
    source.close();
    target.close();
  }
}

interface Schema {
  type: string;
  name: string;
  sql: string;
}

function hasRowIds(sql: string): boolean {
  return !/WITHOUT\s+ROWID\s*$/i.test(sql);
}

function copySettings(source: DatabaseSyncInstance, target: DatabaseSyncInstance): void {
  for (const name of ['page_size', 'auto_vacuum', 'user_version']) {
    const row = source.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
    target.exec(`PRAGMA ${name} = ${row[name]}`);
  }
}

function copyTable(source: DatabaseSyncInstance, target: DatabaseSyncInstance, name: string, rowIds: boolean): number {
  const columns = (source.prepare(`PRAGMA table_info("${name}")`).all() as { name: string }[])
    .map((column) => `"${column.name}"`)
    .join();
  const places = columns.replace(/[^,]+/g, '?');
  const insert = target.prepare(`INSERT OR IGNORE INTO "${name}" (${columns}) VALUES (${places})`);
  const copy = (row: object) => Number(insert.run(...(Object.values(row) as never[])).changes);
  if (!rowIds) {
    const all = readable(() => source.prepare(`SELECT ${columns} FROM "${name}"`).all());
    return (all ?? []).reduce<number>((sum, row) => sum + copy(row as object), 0);
  }
  const select = source.prepare(
    `SELECT rowid AS row_number, ${columns} FROM "${name}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ${batchRows}`,
  );
  return copyAroundDamage(select, copy);
}

/** Halves every range that cannot be read, the widest first, until what is left are the damaged rows. */
function copyAroundDamage(select: StatementSyncInstance, copy: (row: object) => number): number {
  const ranges: [number, number][] = [[0, Number.MAX_SAFE_INTEGER]];
  let copied = 0;
  let failures = 0;
  for (let range = ranges.shift(); range && failures < maxFailures; range = ranges.shift()) {
    const [first, last] = range;
    const rows = readable(() => select.all(first, last) as { row_number: number }[]);
    for (const { row_number: _, ...row } of rows ?? []) copied += copy(row);
    const end = rows?.at(-1)?.row_number;
    if (rows?.length === batchRows && end !== undefined && end < last) ranges.unshift([end + 1, last]);
    if (rows !== undefined) continue;
    failures++;
    const middle = first + Math.floor((last - first) / 2);
    if (first < last) ranges.push([first, middle], [middle + 1, last]);
  }
  return copied;
}

/** `undefined` if the damage is in the way. */
function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}
