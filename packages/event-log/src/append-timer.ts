import { Histogram, type Registry } from '@whetstone/platform';

/** Measures appends that succeed, where there is somebody to tell. */
export function appendTimer(registry: Registry | undefined): (append: () => Promise<void>) => Promise<void> {
  if (!registry) return (append) => append();
  const histogram = new Histogram({
    name: 'whetstone_append_duration_seconds',
    help: 'Time until an event is durable in the log',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return async (append) => {
    const observe = histogram.startTimer();
    await append();
    observe();
  };
}
