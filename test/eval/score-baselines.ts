import { openLocalEmbedder } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { createBaselines } from './contenders/baselines.js';
import type { Domain } from './domain.js';
import type { NamedMeasures } from './report.js';
import { type ScoreOptions, scoreAnswerer } from './score.js';

/** Asks the baselines the same questions, using the bundled embedding model. */
export async function scoreBaselines(domains: readonly Domain[], options: ScoreOptions): Promise<NamedMeasures[]> {
  const logger = createLogger({ service: 'eval', level: 'error', pretty: false });
  const embedder = await openLocalEmbedder({ logger });
  try {
    const measured: NamedMeasures[] = [];
    options.say('The baselines answer the same questions');
    for (const baseline of createBaselines(embedder, options.seed)) {
      const { measures } = await scoreAnswerer(baseline, domains, { ...options, say: () => {} });
      measured.push({ name: baseline.name, measures });
    }
    return measured;
  } finally {
    await embedder.close();
  }
}
