import { Counter, Histogram, type Registry } from '@whetstone/platform';

import { dropReasons, type JobObserver, jobStages } from './domain/ports.js';
import { createOutcomeMetrics } from './outcome-metrics.js';

/** From a quick job on an idle service to one that has waited for a dependency all day. */
const durationBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800, 7200, 28_800, 86_400];

export function createJobMetrics(registry: Registry): JobObserver {
  const registers = [registry];
  const jobs = new Counter({
    name: 'whetstone_jobs_total',
    help: 'Jobs that have ended',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'whetstone_job_duration_seconds',
    help: 'Time that jobs spend in a stage; total is from acceptance to completion',
    labelNames: ['stage'],
    buckets: durationBuckets,
    registers,
  });
  const retries = new Counter({
    name: 'whetstone_retries_total',
    help: 'Tries at a job that failed and were followed by another',
    registers,
  });
  const deadLetters = new Counter({
    name: 'whetstone_dead_letters_total',
    help: 'Uploads that were given up and put into the dead letters',
    registers,
  });
  const dropped = new Counter({
    name: 'whetstone_insights_dropped_total',
    help: 'Insights that were made and not kept',
    labelNames: ['reason'],
    registers,
  });
  const outcomes = createOutcomeMetrics(registry);
  // A rate over a label that appears with its first event misses that event.
  for (const outcome of ['stored', 'nothing_to_learn', 'deleted', 'failed']) jobs.inc({ outcome }, 0);
  for (const stage of jobStages) durations.zero({ stage });
  for (const reason of dropReasons) dropped.inc({ reason }, 0);

  return {
    stage: (stage, seconds) => durations.observe({ stage }, seconds),
    ended: (outcome) => jobs.inc({ outcome }),
    retried: () => retries.inc(),
    deadLettered: () => deadLetters.inc(),
    insightsDropped: (reason, count) => dropped.inc({ reason }, count),
    outcomeTold: outcomes.told,
  };
}
