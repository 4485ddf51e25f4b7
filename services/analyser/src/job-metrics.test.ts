import type { CitedEnhancement } from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';

import { createJobMetrics } from './job-metrics.js';

describe('job metrics', () => {
  it('count events under the documented names', async () => {
    const registry = new Registry();
    const metrics = createJobMetrics(registry);

    metrics.ended('stored');
    metrics.retried();
    metrics.deadLettered();
    metrics.insightsDropped('secret', 2);
    metrics.stage('analysing', 0.1);
    metrics.outcomeTold({ tokenDigest: 't', arm: 'holdout' }, false);

    const text = await registry.metrics();
    expect(text).toContain('whetstone_jobs_total{outcome="stored"} 1');
    expect(text).toContain('whetstone_jobs_total{outcome="failed"} 0');
    expect(text).toContain('whetstone_retries_total 1');
    expect(text).toContain('whetstone_dead_letters_total 1');
    expect(text).toContain('whetstone_insights_dropped_total{reason="secret"} 2');
    expect(text).toContain('whetstone_outcomes_total{arm="holdout",success="false"} 1');
    expect(text).toContain('whetstone_job_duration_seconds_count{stage="analysing"} 1');
    expect(text).toContain('whetstone_job_duration_seconds_count{stage="total"} 0');
  });
});

function setUp() {
  const registry = new Registry();
  const { outcomeTold: told } = createJobMetrics(registry);
  return {
    tell(arm: CitedEnhancement['arm'], succeeded: number, outOf: number, prefix = arm as string) {
      for (let n = 0; n < outOf; n++) told({ arm, tokenDigest: `${prefix}-${n}` }, n < succeeded);
    },
    async value(name: string) {
      const text = await registry.getSingleMetricAsString(name);
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    },
    registry,
  };
}

describe('outcome metrics', () => {
  it('compare runs with recommendations and held-out runs, with the confidence interval', async () => {
    const { tell, value, registry } = setUp();
    tell('recommended', 56, 70);
    tell('holdout', 48, 80);
    tell('nothing_to_say', 0, 50);

    expect(await value('whetstone_uplift_ratio')).toBeCloseTo(0.2, 4);
    expect(await value('whetstone_uplift_ratio_low')).toBeCloseTo(0.0524, 4);
    expect(await value('whetstone_uplift_ratio_high')).toBeCloseTo(0.3339, 4);
    const counts = await registry.getSingleMetricAsString('whetstone_outcomes_total');
    expect(counts).toContain('{arm="recommended",success="true"} 56');
    expect(counts).toContain('{arm="nothing_to_say",success="false"} 50');
  });

  it('compare each answer once, but count every reported outcome', async () => {
    const { tell, value, registry } = setUp();
    tell('recommended', 1, 2);
    tell('holdout', 1, 2);
    for (let n = 0; n < 5; n++) tell('recommended', 1, 1);

    expect(await value('whetstone_uplift_ratio')).toBe(0);
    expect(await registry.getSingleMetricAsString('whetstone_outcomes_total')).toContain(
      '{arm="recommended",success="true"} 6',
    );
  });

  it('are NaN without a comparison, and start every counter at zero', async () => {
    const { tell, value, registry } = setUp();
    tell('recommended', 5, 5);

    for (const name of ['whetstone_uplift_ratio', 'whetstone_uplift_ratio_low', 'whetstone_uplift_ratio_high']) {
      expect(await value(name)).toBeNaN();
    }
    expect((await registry.getSingleMetricAsString('whetstone_outcomes_total')).match(/^whetstone/gm)).toHaveLength(6);
  });
});
