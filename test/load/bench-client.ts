import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Whetstone } from '@whetstone/client';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';
import { createAsker, takeTurns } from './load.js';
import { type Figure, median } from './report.js';
import { sampleTask, sampleTasks } from './samples.js';

const questions = 300;

/** What the TypeScript client adds to a question: it and a bare request take turns. No text is asked twice. */
export async function benchClient(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const product = await startProduct({ folder, env: { WHETSTONE_LOG_LEVEL: 'error' } });
  const url = product.target.baseUrl;
  try {
    const { key } = await createAccounts(product.target).open('bench');
    const client = new Whetstone({ tenant: 'bench', url, key, adviceTimeoutMs: 60_000 });
    const asker = createAsker(url, key);
    const bare = () => asker.enhance(sampleTask());
    const ask = (text: string) => client.run(text);
    await takeTurns(ask, bare, sampleTasks(30));
    const { measuredMs, baselineMs } = await takeTurns(ask, bare, sampleTasks(questions));
    asker.close();
    await client.close();
    const [value, baseline] = [median(measuredMs), median(baselineMs)];
    return [{ name: 'a run with the client asks, p50', value, baseline, unit: 'ms', goal: 'baseline + 2 ms' }];
  } finally {
    await product.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
