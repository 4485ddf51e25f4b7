import { Counter, Histogram, type Registry } from '@whetstone/platform';

export interface EnhanceMetrics {
  answered(recommendations: number): void;
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
  return {
    answered(recommendations) {
      returned.observe(recommendations);
      if (recommendations === 0) empty.inc();
    },
  };
}
