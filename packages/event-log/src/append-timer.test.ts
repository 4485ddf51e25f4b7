import { Registry } from '@whetstone/platform';

import { appendTimer } from './append-timer.js';

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
