import { Registry } from '@whetstone/platform';

import { createJobMetrics } from './job-metrics.js';

describe('the metrics of jobs', () => {
  it('count what was heard, under the documented names', async () => {
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
