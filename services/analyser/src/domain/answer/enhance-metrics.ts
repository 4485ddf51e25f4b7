import { Counter, Histogram, type Registry } from '@whetstone/platform';

export interface EnhanceMetrics {
  answered(recommendations: number): void;
  /** There was something to say, and it was kept back. */
  heldOut(): void;
}

export function createEnhanceMetrics(registry: Registry): EnhanceMetrics {
  const returned = new Histogram({
    name: 'whetstone_recommendations_returned',
    help: 'Recommendations in one answer of enhance_task',
    buckets: [0, 1, 2, 3, 4, 5],
    registers: [registry],
  });
  const empty = new Counter({
    name: 'whetstone_enhance_empty_total',
    help: 'Answers of enhance_task without a recommendation',
    registers: [registry],
  });
  const heldOut = new Counter({
    name: 'whetstone_enhance_held_out_total',
    help: 'Answers of enhance_task whose recommendations were held out, to measure what they are worth',
    registers: [registry],
  });
  return {
    heldOut: () => heldOut.inc(),
    answered(recommendations) {
      returned.observe(recommendations);
      if (recommendations === 0) empty.inc();
    },
  };
}
