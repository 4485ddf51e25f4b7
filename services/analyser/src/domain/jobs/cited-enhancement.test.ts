import type { AcceptedUpload, EnhancementArm } from '@whetstone/contracts';
import {
  createEnhancementIds,
  createRootSecrets,
  type ShownInsights,
  workflowCollectionIdOf,
} from '@whetstone/identity';

import { anUpload, createPlainProducer, testRoots } from '../../test-kit/uploads.js';
import { createWorkbench, failing, startOfTest } from '../../test-kit/workbench.js';
import { followedIn } from './cited-enhancement.js';

const ids = createEnhancementIds(testRoots);
const strangers = createEnhancementIds(createRootSecrets('another root secret, and long enough as well'));
const collectionId = workflowCollectionIdOf('acme', 'shop');
const lessons = [
  { id: 'c/job/1/1', deeds: ['hard'] },
  { id: 'c/job/1/2', deeds: ['soft', 'mixed'] },
];
const shown = { shown: lessons, shownAt: startOfTest, holdout: false };

function citing(token: unknown, success?: boolean): AcceptedUpload {
  const { interaction, ...upload } = anUpload({ at: startOfTest });
  const { success: _, ...rest } = interaction;
  const told = success === undefined ? {} : { success };
  return { ...upload, interaction: { ...rest, ...told, metadata: { enhancement_id: token, other: 1 } } };
}

describe('the advice that an outcome speaks of', () => {
  it.each([
    [['soft'], ['c/job/1/2']],
    [['other', 'hard'], ['c/job/1/1']],
    [
      ['mixed', 'hard'],
      ['c/job/1/1', 'c/job/1/2'],
    ],
    [['other'], ['c/job/1/1', 'c/job/1/2']],
  ])('is what the run did, or all of it where that cannot be told: %j', (deeds, insightIds) => {
    const cited = { tokenDigest: 'd', arm: 'recommended', shown: lessons } as const;

    expect(followedIn(cited, deeds)).toEqual({ tokenDigest: 'd', arm: 'recommended', insightIds });
  });
});

describe('an upload that cites an answer', () => {
  it.each<[EnhancementArm, ShownInsights, boolean]>([
    ['recommended', shown, true],
    ['recommended', shown, false],
    ['holdout', { ...shown, holdout: true }, true],
    ['nothing_to_say', { ...shown, shown: [] }, false],
  ])('is stored with it: %s', async (arm, answer, success) => {
    const bench = createWorkbench();
    const token = ids.issue(collectionId, answer);

    expect(await bench.process(citing(token, success))).toBe('completed');

    const { digest } = ids.open(collectionId, token) ?? {};
    expect(bench.knowledge.calls[0]?.cited).toEqual({
      tokenDigest: digest,
      arm,
      insightIds: answer.shown.map(({ id }) => id),
    });
    expect(bench.heard).toContain(`told ${arm} ${success}`);
  });

  it('has told nothing where its caller did not say how it went', async () => {
    const bench = createWorkbench();

    await bench.process(citing(ids.issue(collectionId, shown)));

    expect(bench.knowledge.calls[0]?.cited).toBeDefined();
    expect(bench.heard.filter((line) => line.startsWith('told'))).toEqual([]);
  });

  it.each([
    ['of another collection', ids.issue(workflowCollectionIdOf('acme', 'other'), shown)],
    ['of another account', ids.issue(workflowCollectionIdOf('globex', 'shop'), shown)],
    ['that somebody else signed', strangers.issue(collectionId, shown)],
    ['that was altered', `${ids.issue(collectionId, shown).slice(0, -2)}AA`],
    ['that is none', 'enh_nonsense'],
    ['that is no text', { token: 1 }],
  ])('is processed as ever where it is one %s, and counts for nothing', async (_, token) => {
    const bench = createWorkbench();

    expect(await bench.process(citing(token, true))).toBe('completed');

    expect(bench.knowledge.calls).toHaveLength(1);
    expect(bench.knowledge.calls[0]).not.toHaveProperty('cited');
    expect(bench.heard.filter((line) => line.startsWith('told'))).toEqual([]);
  });

  it('has told nothing where its job failed', async () => {
    const bench = createWorkbench({
      producer: createPlainProducer(failing(99, () => Promise.reject(new Error('never')))),
    });

    expect(await bench.process(citing(ids.issue(collectionId, shown), true))).toBe('failed');

    expect(bench.heard.filter((line) => line.startsWith('told'))).toEqual([]);
  });

  it('is heard once, however often it is delivered', async () => {
    const bench = createWorkbench();
    const upload = citing(ids.issue(collectionId, shown), true);
    await bench.process(upload);
    await bench.process(upload);

    expect(bench.heard.filter((line) => line.startsWith('told'))).toEqual(['told recommended true']);
  });
});
