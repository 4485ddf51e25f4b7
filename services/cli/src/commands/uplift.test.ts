import { defaultCollectionIdOf, workflowCollectionIdOf } from '@whetstone/identity';

import { TestInstallation } from '../test-kit/installation.js';
import { aCitingRun, aSummary, type CitedRun, fill, rowsOf } from '../test-kit/knowledge.js';

const acme = defaultCollectionIdOf('acme');
const globex = defaultCollectionIdOf('globex');
let installation: TestInstallation;

beforeEach(async () => {
  installation = await TestInstallation.create();
});
afterEach(() => installation.remove());

/** So many runs of one arm, of which the first ended well. */
function runs(collectionId: string, arm: NonNullable<CitedRun['arm']>, succeeded: number, told: number) {
  return Array.from({ length: told }, (_, n) => {
    const outcome = n < succeeded ? 'success' : 'failure';
    return aCitingRun(collectionId, `job_${arm}_${n}`, { tokenDigest: `${arm}-${n}`, arm, outcome });
  });
}

describe('uplift', () => {
  it('compares runs with and without recommendations, and tells the interval', async () => {
    await fill(installation, [
      ...runs(acme, 'recommended', 56, 70),
      ...runs(acme, 'holdout', 48, 80),
      ...runs(acme, 'nothing_to_say', 1, 3),
      ...rowsOf(acme, 'job_that_cites_nothing'),
    ]);

    const { stdout } = await installation.run('uplift');
    expect(stdout).toBe(
      [
        '                      answers  succeeded  share (95 %)',
        'with recommendations  70       56         80.0 % (69.2 to 87.7)',
        'held out              80       48         60.0 % (49.0 to 70.0)',
        'nothing to recommend  3        1          33.3 % (6.1 to 79.2)',
        '',
        'Uplift: +20.0 points, 95 % interval +5.2 to +33.4.',
        'Runs succeed more often with recommendations.',
        '',
      ].join('\n'),
    );
    expect(await installation.ask('uplift')).toMatchObject({
      verdict: 'recommendations_help',
      uplift: { difference: expect.closeTo(0.2), low: expect.closeTo(0.0524, 4), high: expect.closeTo(0.3339, 4) },
      arms: { recommended: { told: 70, succeeded: 56, share: 0.8 }, holdout: { told: 80 } },
      answers_cited: 153,
      uploads_citing: 153,
      collections: 1,
    });
  });

  it('counts an answer once, as the first upload that told how it went', async () => {
    const cite = (jobId: string, given: Partial<CitedRun>) => aCitingRun(acme, jobId, { tokenDigest: 't', ...given });
    await fill(installation, [
      cite('job_a', { outcome: 'success', acceptedAt: 300 }),
      cite('job_b', { outcome: 'failure', acceptedAt: 200 }),
      cite('job_c', { outcome: 'success', acceptedAt: 100, judged: true }),
      cite('job_d', { outcome: 'unknown', acceptedAt: 150 }),
      cite('job_f', { outcome: 'success', acceptedAt: 400 }),
      cite('job_e', { tokenDigest: 'nobody-said', outcome: 'unknown' }),
    ]);

    expect(await installation.ask('uplift')).toMatchObject({
      verdict: 'no_comparison',
      uplift: null,
      arms: { recommended: { told: 1, succeeded: 0 } },
      answers_cited: 2,
      answers_without_outcome: 1,
      uploads_citing: 6,
    });
    expect((await installation.run('uplift')).stdout).toContain('1 more cited answers do not count');
  });

  it('counts what the latest summary of dropped runs says, and no answer twice', async () => {
    await fill(installation, [
      aSummary(acme, '1', 0),
      aSummary(acme, '2', 1),
      aCitingRun(acme, 'job_left', { tokenDigest: 't-1' }),
      aCitingRun(acme, 'job_new', { tokenDigest: 't-4' }),
      aCitingRun(globex, 'job_other', { tokenDigest: 't-5' }),
    ]);

    expect(await installation.ask('uplift')).toMatchObject({
      arms: { recommended: { told: 4, succeeded: 3 }, holdout: { told: 1, succeeded: 0 } },
      answers_cited: 6,
      answers_without_outcome: 1,
      uploads_citing: 6,
      collections: 2,
    });
  });

  it.each([
    ['nothing is there', [], 'no upload cites an answer'],
    ['nothing was held out', runs(acme, 'recommended', 9, 9), 'WHETSTONE_HOLDOUT_SHARE'],
    ['everything was held out', runs(acme, 'holdout', 9, 9), 'no outcomes of answers with recommendations'],
    [
      'there is too little',
      [...runs(acme, 'recommended', 9, 10), ...runs(acme, 'holdout', 3, 10)],
      'Too little data: both arms need at least 30 outcomes.',
    ],
    [
      'there is no difference to be seen',
      [...runs(acme, 'recommended', 21, 40), ...runs(acme, 'holdout', 20, 40)],
      'Inconclusive',
    ],
    [
      'recommendations harm',
      [...runs(acme, 'recommended', 5, 40), ...runs(acme, 'holdout', 30, 40)],
      'Runs succeed less often with recommendations.',
    ],
  ])('says so plainly when %s', async (_, rows, sentence) => {
    await fill(installation, rows);

    expect((await installation.run('uplift')).stdout).toContain(sentence);
  });

  it('looks at one account or collection where that is asked for', async () => {
    const shop = workflowCollectionIdOf('acme', 'shop');
    await fill(installation, [
      ...runs(acme, 'recommended', 2, 2),
      ...runs(globex, 'holdout', 0, 3),
      ...runs(shop, 'holdout', 0, 1),
    ]);
    const told = async (...options: string[]) => {
      const { arms } = await installation.ask<{ arms: Record<string, { told: number }> }>('uplift', ...options);
      return [arms['recommended']?.told, arms['holdout']?.told];
    };

    expect(await told()).toEqual([2, 4]);
    expect(await told('--account', 'acme')).toEqual([2, 1]);
    expect(await told('--account', 'acme', '--collection', 'shop')).toEqual([0, 1]);
    expect(await told('--collection', globex)).toEqual([0, 3]);
    expect(await told('--account', 'nobody')).toEqual([0, 0]);
    expect(await installation.run('uplift', '--collection', 'shop')).toMatchObject({
      code: 1,
      stderr: 'Add --account: a collection name is unique only within its account\n',
    });
  });
});
