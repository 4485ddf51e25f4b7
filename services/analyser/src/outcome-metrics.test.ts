import type { CitedEnhancement } from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';

import { createOutcomeMetrics } from './outcome-metrics.js';

function setUp() {
  const registry = new Registry();
  const { told } = createOutcomeMetrics(registry);
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

describe('the metrics of outcomes', () => {
  it('compare runs with recommendations and runs held out, with the interval', async () => {
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

  it('compare an answer once, though they count every outcome that was told', async () => {
    const { tell, value, registry } = setUp();
    tell('recommended', 1, 2);
    tell('holdout', 1, 2);
    for (let n = 0; n < 5; n++) tell('recommended', 1, 1);

    expect(await value('whetstone_uplift_ratio')).toBe(0);
    expect(await registry.getSingleMetricAsString('whetstone_outcomes_total')).toContain(
      '{arm="recommended",success="true"} 6',
    );
  });

  it('say of no comparison that there is none, and name every count from the beginning', async () => {
    const { tell, value, registry } = setUp();
    tell('recommended', 5, 5);

    for (const name of ['whetstone_uplift_ratio', 'whetstone_uplift_ratio_low', 'whetstone_uplift_ratio_high']) {
      expect(await value(name)).toBeNaN();
    }
    expect((await registry.getSingleMetricAsString('whetstone_outcomes_total')).match(/^whetstone/gm)).toHaveLength(6);
  });
});
