import { Counter, Gauge, type Registry } from '@whetstone/platform';

import type { ConsumerLag } from '../ports.js';

export interface ObservedConsumer {
  inflight(): number;
  /** Undefined while the log does not answer. */
  lag(): Promise<ConsumerLag | undefined>;
}

/** Registers what operators see of the consumer. Returns the counter of rebalances. */
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
