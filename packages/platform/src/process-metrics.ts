import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Node's own figures: memory, CPU, event-loop lag, garbage collection. Once per process. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}
