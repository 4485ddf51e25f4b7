import { Registry } from '@whetstone/platform';

import { observeViewAge } from './view-age.js';

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
