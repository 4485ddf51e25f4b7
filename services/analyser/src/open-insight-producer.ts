import type { Logger, Registry } from '@whetstone/platform';

import { createReflectorPool } from './adapters/reflector-pool.js';
import type { AnalyserConfig } from './analyser-config.js';
import type { InsightProducer } from './domain/ports.js';

/**
 * The producer that the configuration asks for: the reflector, or a model where one is named. Only then is its SDK loaded.
 * Rejects with AppError `invalid_argument` where settings of the model contradict each other.
 */
export async function openInsightProducer(
  { reflector, model }: Pick<AnalyserConfig, 'reflector' | 'model'>,
  { logger, registry }: { logger: Logger; registry: Registry },
): Promise<InsightProducer> {
  const pool = createReflectorPool(reflector);
  if (!model) return pool;
  const { openModelProducer } = await import('./adapters/model-producer/model-producer.js');
  return openModelProducer(model, { pool, logger, registry });
}
