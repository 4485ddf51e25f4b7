import { Counter, Histogram, type Registry } from '@whetstone/platform';

/** Measures appends that succeed and counts those that do not, where there is somebody to tell. */
export function appendTimer(registry: Registry | undefined): (append: () => Promise<void>) => Promise<void> {
  if (!registry) return (append) => append();
  const histogram = new Histogram({
    name: 'whetstone_append_duration_seconds',
    help: 'Time until an event is durable in the log',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'whetstone_append_failures_total',
    help: 'Appends that the log did not confirm',
    registers: [registry],
  });
  return async (append) => {
    const observe = histogram.startTimer();
    try {
      await append();
    } catch (error) {
      failures.inc();
      throw error;
    }
    observe();
  };
}
