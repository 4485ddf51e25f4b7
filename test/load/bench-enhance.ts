import { join } from 'node:path';

import { type Embedder, openLocalVectorStore } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { residentMegabytes } from './bench-footprint.js';
import { startContender } from './contenders.js';
import { createAsker, takeTurns } from './load.js';
import { type Figure, median } from './report.js';
import { sampleTasks } from './samples.js';
import { atSizes, embedCentres, seedKnowledge } from './seed-knowledge.js';

const sizes = [1_000, 10_000, 100_000];
const questions = 150;
const logger = createLogger({ service: 'bench', level: 'error', pretty: false });

/**
 * `enhance_task` one after another against embedding the same texts alone, in the same minutes: the model's inference is what
 * cannot be avoided, everything else is ours. No text is asked twice, so no cache answers.
 */
export function benchEnhance(): Promise<Figure[]> {
  return atSizes(sizes, benchSize);
}

async function benchSize(size: number, embedder: Embedder): Promise<Figure[]> {
  const { account, key, product, url, end } = await startContender();
  try {
    await seed(product.dataFolder, account, size, embedder);
    const asker = createAsker(url, key);
    const embed = (text: string) => embedder.embed(text, 'interactive');
    await takeTurns(asker.enhance, embed, sampleTasks(20));
    const { measuredMs, baselineMs } = await takeTurns(asker.enhance, embed, sampleTasks(questions));
    asker.close();
    const figure: Figure = {
      name: `enhance_task p50, ${size.toLocaleString('en')} insights`,
      value: median(measuredMs),
      baseline: median(baselineMs),
      unit: 'ms',
      ...(size <= 10_000 ? { goal: '≤ 2×' } : {}),
    };
    if (size < 100_000) return [figure];
    const memory = await residentMegabytes(product.target);
    return [figure, { name: 'memory with 100,000 insights', value: memory, unit: 'MB' }];
  } finally {
    await end();
  }
}

async function seed(dataFolder: string, account: string, size: number, embedder: Embedder): Promise<void> {
  const path = join(dataFolder, 'knowledge.db');
  const store = await openLocalVectorStore({ path, model: embedder.model, cacheBytes: 16 << 20, logger });
  try {
    await seedKnowledge(store, { account, count: size }, await embedCentres(embedder));
  } finally {
    await store.close();
  }
}
