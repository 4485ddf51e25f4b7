import { graph, type PanelDefinition, redFrom } from './definition.js';
import { chosen, ofWhetstone } from './queries.js';

/** Panels that answer a part of more than one dashboard's question. */

export const shareOfMemory: PanelDefinition = graph({
  title: 'Memory, share of the limit',
  description: 'Resident memory as a share of what the process may use. At 1 it is killed.',
  unit: 'percentunit',
  queries: { '{{pod}}': `process_resident_memory_bytes{${chosen}} / whetstone_memory_limit_bytes{${chosen}}` },
  thresholds: redFrom(0.9),
});

export const lateTurns: PanelDefinition = graph({
  title: 'Event loop, p99',
  description: 'How long one turn in a hundred waits: everything that the process answers is late by that.',
  unit: 's',
  queries: { '{{pod}}': `nodejs_eventloop_lag_p99_seconds{${chosen}} ${ofWhetstone}` },
  thresholds: redFrom(0.5),
});

export const retriesAndDeadLetters: PanelDefinition = graph({
  title: 'Retries and dead letters',
  description: 'Tries that failed and were followed by another, and uploads that were given up, in each interval.',
  unit: 'short',
  queries: {
    retries: `sum(increase(whetstone_retries_total{${chosen}}[$__rate_interval]))`,
    'dead letters': `sum(increase(whetstone_dead_letters_total{${chosen}}[$__rate_interval]))`,
  },
});
