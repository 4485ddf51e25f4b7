import { Counter, Gauge, Histogram, type Registry } from '@whetstone/platform';

import type { ConsumerLag } from './ports.js';

/** Measures successful appends and counts failed ones. */
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

const name = 'whetstone_view_age_seconds';

/** One gauge for all views of a process, labelled by view; the first view creates it. */
export function observeViewAge(registry: Registry, view: string, ageSeconds: () => number): void {
  const existing = registry.getSingleMetric(name);
  const gauge = existing ? (existing as ViewAgeGauge) : new ViewAgeGauge(registry);
  gauge.views.set(view, ageSeconds);
}

class ViewAgeGauge extends Gauge<'view'> {
  readonly views = new Map<string, () => number>();

  constructor(registry: Registry) {
    super({
      name,
      help: 'Seconds since the view was last known to be at the end of its topic',
      labelNames: ['view'],
      registers: [registry],
      collect: () => {
        for (const [view, ageSeconds] of this.views) this.set({ view }, ageSeconds());
      },
    });
  }
}

interface ObservedConsumer {
  inflight(): number;
  /** `undefined` while the log is away. */
  lag(): Promise<ConsumerLag | undefined>;
}

/** Registers the consumer's metrics. Returns the counter of rebalances. */
export function observeConsumer(registry: Registry, consumer: ObservedConsumer): Counter {
  const registers = [registry];
  new Gauge({
    name: 'whetstone_inflight_messages',
    help: 'Messages being worked on',
    registers,
    collect() {
      this.set(consumer.inflight());
    },
  });
  const lagSeconds = new Gauge({
    name: 'whetstone_consumer_lag_seconds',
    help: 'Age of the oldest message that is not done',
    registers,
  });
  new Gauge({
    name: 'whetstone_consumer_lag_messages',
    help: 'Messages that are not done',
    registers,
    async collect() {
      const lag = await consumer.lag();
      if (!lag) return;
      this.set(lag.messages);
      lagSeconds.set(lag.seconds);
    },
  });
  return new Counter({ name: 'whetstone_rebalances_total', help: 'Times that partitions were taken away', registers });
}
