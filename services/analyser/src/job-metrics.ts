import { type EnhancementArm, measureUplift, type Uplift } from '@whetstone/contracts';
import { Counter, Gauge, Histogram, type Registry } from '@whetstone/platform';

import { dropReasons, type JobObserver, jobStages } from './domain/ports.js';

/** From a quick job on an idle service to one that waited for a dependency all day. */
const durationBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800, 7200, 28_800, 86_400];

export function createJobMetrics(registry: Registry): JobObserver {
  const registers = [registry];
  const jobs = new Counter({
    name: 'whetstone_jobs_total',
    help: 'Finished jobs',
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
    help: 'Failed attempts at a job that were followed by another',
    registers,
  });
  const deadLetters = new Counter({
    name: 'whetstone_dead_letters_total',
    help: 'Uploads moved to the dead letters',
    registers,
  });
  const dropped = new Counter({
    name: 'whetstone_insights_dropped_total',
    help: 'Insights that were produced but not stored',
    labelNames: ['reason'],
    registers,
  });
  // Start at zero: rate() misses the first event of a series that appears with it.
  for (const outcome of ['stored', 'nothing_to_learn', 'deleted', 'failed']) jobs.inc({ outcome }, 0);
  for (const stage of jobStages) durations.zero({ stage });
  for (const reason of dropReasons) dropped.inc({ reason }, 0);

  return {
    // A job is accepted by the clock of another machine, which may be ahead.
    stage: (stage, seconds) => durations.observe({ stage }, Math.max(0, seconds)),
    ended: (outcome) => jobs.inc({ outcome }),
    retried: () => retries.inc(),
    deadLettered: () => deadLetters.inc(),
    insightsDropped: (reason, count) => dropped.inc({ reason }, count),
    ...createOutcomeMetrics(registry),
  };
}

/** Answers remembered so that each one counts only once for the uplift. */
const maxRememberedAnswers = 100_000;

const gauges: Record<string, { help: string; of(uplift: Uplift): number }> = {
  whetstone_uplift_ratio: {
    help: 'Success rate of runs with recommendations minus that of held-out runs, since this process started',
    of: ({ difference }) => difference,
  },
  whetstone_uplift_ratio_low: {
    help: 'Lower bound of the 95 % confidence interval of the uplift',
    of: ({ low }) => low,
  },
  whetstone_uplift_ratio_high: {
    help: 'Upper bound of the 95 % confidence interval of the uplift',
    of: ({ high }) => high,
  },
};

/** Counts every reported outcome; for the uplift each answer counts once. NaN until both groups have outcomes. */
function createOutcomeMetrics(registry: Registry): Pick<JobObserver, 'outcomeTold'> {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'whetstone_outcomes_total',
    help: 'Completed jobs that cite an enhance_task answer, by the outcome that the caller reported',
    labelNames: ['arm', 'success'],
    registers,
  });
  const counted = new Set<string>();
  const arms: Record<EnhancementArm, { told: number; succeeded: number }> = {
    recommended: { told: 0, succeeded: 0 },
    holdout: { told: 0, succeeded: 0 },
    nothing_to_say: { told: 0, succeeded: 0 },
  };
  for (const arm of Object.keys(arms)) {
    for (const success of ['true', 'false']) outcomes.inc({ arm, success }, 0);
  }
  for (const [name, { help, of }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const uplift = measureUplift(arms.recommended, arms.holdout);
        this.set(uplift ? of(uplift) : Number.NaN);
      },
    });
  }

  return {
    outcomeTold({ arm, tokenDigest }, success) {
      outcomes.inc({ arm, success: String(success) });
      if (counted.has(tokenDigest)) return;
      const [oldest] = counted;
      if (counted.size >= maxRememberedAnswers && oldest !== undefined) counted.delete(oldest);
      counted.add(tokenDigest);
      arms[arm].told++;
      if (success) arms[arm].succeeded++;
    },
  };
}
