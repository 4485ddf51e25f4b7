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
    .map((line) => JSON.parse(line) as { id: string; job_id: string; type: string })
    .filter(({ type }) => type === 'insight')
    .map((row) => ({ id: row.id, jobId: row.job_id, text: JSON.stringify(row) }));
}
