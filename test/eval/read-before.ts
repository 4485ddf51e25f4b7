import { readFile } from 'node:fs/promises';

import type { Row } from './report.js';

/** The figures of an earlier run, by metric and data. */
export async function readBefore(file: string): Promise<(row: Row) => number | undefined> {
  const earlier = JSON.parse(await readFile(file, 'utf8')) as { rows?: Row[] };
  if (!Array.isArray(earlier.rows)) throw new Error(`${file} is not what --json wrote`);
  const known = new Map(earlier.rows.map(({ metric, data, whetstone }) => [`${metric} ${data}`, whetstone]));
  return ({ metric, data }) => known.get(`${metric} ${data}`);
}
