import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Product, projectFolder } from '../support/product.js';
import type { StoredInsight } from './check-promises.js';

const run = promisify(execFile);

/** Every insight that the product holds, as an operator's export shows it. */
export async function exportInsights({ dataFolder }: Product): Promise<StoredInsight[]> {
  const { stdout } = await run(
    process.execPath,
    [join(projectFolder, 'services/cli/bin/whetstone.mjs'), 'knowledge', 'export'],
    { env: { ...process.env, WHETSTONE_DATA: dataFolder }, maxBuffer: 256 * 1024 * 1024 },
  );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedRow)
    .filter(({ type }) => type === 'insight')
    .map((row) => ({
      id: [row.collection_id, row.job_id, row.attempt, row.ordinal].join('/'),
      jobId: row.job_id,
      text: JSON.stringify(row),
    }));
}

interface ExportedRow {
  collection_id: string;
  job_id: string;
  attempt: string;
  ordinal: number;
  type: string;
}
