import { totalmem } from 'node:os';

import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Node's own figures: memory, CPU, event-loop lag, garbage collection; and what memory there is. Once per process. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'whetstone_memory_limit_bytes',
    help: "Memory that the process may use: its container's limit, or else the machine's",
    registers: [registry],
  }).set(memoryLimitBytes());
}

function memoryLimitBytes(): number {
  // Without a limit some systems report none, others a number that no machine has.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
}
