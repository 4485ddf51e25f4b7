import { Registry } from '@whetstone/platform';

import { appendTimer, observeViewAge } from './metrics.js';

describe('appendTimer', () => {
  it('measures appends that succeed and counts those that do not, which it passes on', async () => {
    const registry = new Registry();
    const observed = appendTimer(registry);

    await observed(async () => {});
    await expect(observed(() => Promise.reject(new Error('no broker')))).rejects.toThrow('no broker');

    const metrics = await registry.metrics();
    expect(metrics).toContain('whetstone_append_duration_seconds_count 1');
    expect(metrics).toContain('whetstone_append_failures_total 1');
  });
});

describe('observeViewAge', () => {
  it('lets several views of one process report under one name', async () => {
    const registry = new Registry();
    let jobsAge = 1;
    observeViewAge(registry, 'jobs', () => jobsAge);
    observeViewAge(registry, 'keys', () => 2);
    jobsAge = 7;

    const text = await registry.metrics();

    expect(text).toContain('whetstone_view_age_seconds{view="jobs"} 7');
    expect(text).toContain('whetstone_view_age_seconds{view="keys"} 2');
  });
});
