import { createEnhancementIds } from '@whetstone/identity';
import { Registry } from '@whetstone/platform';

import { randomNumbers } from '@whetstone/platform/test-kit';

import { testRoots } from '../../test-kit/uploads.js';
import { createEnhanceTask, defaultEnhanceConfig } from './enhance-task.js';
import { aHit } from './test-kit/hits.js';

const enhancementIds = createEnhancementIds(testRoots);
const task = '  Show the large logs\r\n';

const hit = aHit({ id: 'c/job-1/1/1', task: 'Show the large logs', example: 'ls -lS logs' });

function setUp(holdoutShare: number, random: () => number, hits = [hit]) {
  const registry = new Registry();
  const enhance = createEnhanceTask({
    knowledge: { search: async () => ({ hits, verdicts: [], settings: {} }) },
    enhancementIds,
    clock: { now: () => 42 },
    logger: { warn: () => {} },
    registry,
    random,
    config: { ...defaultEnhanceConfig, holdoutShare },
  });
  return { registry, enhance: () => enhance({ collectionId: 'c', inputText: task, context: {} }, {}) };
}

describe('a request that is held out', () => {
  it('gets its input back unchanged, with a token of what would have been shown', async () => {
    const { enhance, registry } = setUp(0.1, () => 0.09);

    const { enhancementId, ...rest } = await enhance();

    expect(rest).toEqual({ response: task, confidenceScore: 0, recommendations: [], holdout: true });
    expect(enhancementIds.open('c', enhancementId)).toMatchObject({
      shown: [{ id: hit.name }],
      holdout: true,
      shownAt: 42,
    });
    const metrics = await registry.metrics();
    expect(metrics).toContain('whetstone_enhance_held_out_total 1');
    expect(metrics).toContain('whetstone_enhance_empty_total 0');
  });

  it('is drawn independently, as often as configured', async () => {
    const { enhance } = setUp(0.2, randomNumbers(7));
    let heldOut = 0;
    for (let n = 0; n < 1_000; n++) heldOut += (await enhance()).holdout ? 1 : 0;

    expect(heldOut).toBeGreaterThan(160);
    expect(heldOut).toBeLessThan(240);
  });

  it.each([
    ['none is', 0, () => 0],
    ['all but the drawn ones', 0.1, () => 0.1],
  ])('is decided by the share: %s held out', async (_, share, random) => {
    const { enhancementId, holdout, recommendations } = await setUp(share, random).enhance();

    expect(holdout).toBe(false);
    expect(recommendations).toHaveLength(1);
    expect(enhancementIds.open('c', enhancementId)).toMatchObject({ shown: [{ id: hit.name }], holdout: false });
  });

  it('is not drawn if there is nothing to recommend', async () => {
    const { enhancementId, holdout } = await setUp(1, () => 0, []).enhance();

    expect(holdout).toBe(false);
    expect(enhancementIds.open('c', enhancementId)).toMatchObject({ shown: [], holdout: false });
  });
});
