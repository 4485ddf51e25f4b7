import type { JobState } from '@whetstone/contracts';
import { createJobIds, createRootSecrets } from '@whetstone/identity';

import { createLookUpJob, formatMoment } from './look-up-job.js';

const jobIds = createJobIds(createRootSecrets('a root secret of sufficient length'));
const caller = { keyId: 'k', account: 'acme', scopes: [] };
const acceptedAt = Date.UTC(2026, 2, 5, 18, 15, 37) * 1000 + 903_173;
const owner = { account: 'acme', collectionId: 'c' };

function recordOf(state: Omit<JobState, 'jobId'>, jobId = jobIds.issue(owner, acceptedAt)) {
  const lookUpJob = createLookUpJob({ jobIds, status: { getJob: async () => ({ jobId, ...state }) } });
  return { jobId, record: lookUpJob(caller, jobId, {}) };
}

describe('the record of a job', () => {
  it('that nobody has written about was created when its id was issued', async () => {
    const { jobId, record } = recordOf({ status: 'processing' });

    expect(await record).toEqual({
      status: 'processing',
      message: expect.any(String),
      job_id: jobId,
      created_at: '2026-03-05T18:15:37.903173',
    });
  });

  it('with an idempotency key has no created_at before its first record', async () => {
    const jobId = jobIds.issue(owner, acceptedAt, { key: 'k', bodyDigest: 'd' });

    expect(await recordOf({ status: 'processing' }, jobId).record).not.toHaveProperty('created_at');
    expect(await recordOf({ status: 'processing', acceptedAt, startedAt: acceptedAt + 1 }, jobId).record).toMatchObject(
      {
        created_at: '2026-03-05T18:15:37.903173',
        started_at: '2026-03-05T18:15:37.903174',
      },
    );
  });

  it('that completed is flat and says what came of it', async () => {
    const times = { acceptedAt, startedAt: acceptedAt + 1, completedAt: acceptedAt + 1_000_000 };
    const { jobId, record } = recordOf({ status: 'completed', ...times, insightsStored: 2, outcome: 'stored' });

    expect(await record).toEqual({
      status: 'completed',
      message: expect.any(String),
      job_id: jobId,
      created_at: '2026-03-05T18:15:37.903173',
      started_at: '2026-03-05T18:15:37.903174',
      completed_at: '2026-03-05T18:15:38.903173',
      insights_stored: 2,
      outcome: 'stored',
    });
  });

  it('that taught nothing says why, where that is known, and one that taught something does not', async () => {
    const ended = { status: 'completed', acceptedAt, startedAt: acceptedAt, completedAt: acceptedAt + 1 } as const;
    const messageOf = async (state: Pick<JobState, 'outcome' | 'reason'>) =>
      (await recordOf({ ...ended, insightsStored: 0, ...state }).record).message;

    const plain = await messageOf({ outcome: 'nothing_to_learn' });
    expect(plain).toMatch(/nothing to learn/);
    expect(await messageOf({ outcome: 'nothing_to_learn', reason: 'there are no turns' })).toBe(
      `${plain} (there are no turns)`,
    );
    expect(await messageOf({ outcome: 'stored', reason: 'there are no turns' })).not.toContain('no turns');
  });

  it('that failed carries a copy of itself under its id, and a note', async () => {
    const { jobId, record } = recordOf({
      status: 'failed',
      acceptedAt,
      failedAt: acceptedAt + 5,
      errorMessage: 'c2VhbA==',
    });
    const flat = {
      status: 'failed',
      message: expect.any(String),
      job_id: jobId,
      created_at: '2026-03-05T18:15:37.903173',
      failed_at: '2026-03-05T18:15:37.903178',
      error_message: 'c2VhbA==',
      note: expect.stringMatching(/error_message.*job_id.*operators/),
    };

    expect(await record).toEqual({ ...flat, [jobId]: flat });
  });

  it('that failed through the caller says in clear why', async () => {
    const failed = { status: 'failed', acceptedAt, failedAt: acceptedAt + 5, errorMessage: 'c2VhbA==' } as const;

    expect(await recordOf({ ...failed, reason: 'the limit is reached' }).record).toMatchObject({
      message: 'Processing failed: the limit is reached',
    });
    expect(await recordOf(failed).record).toMatchObject({ message: 'Processing failed' });
  });

  it('past retention is not found', async () => {
    await expect(recordOf({ status: 'expired' }).record).rejects.toMatchObject({ code: 'job_not_found' });
  });

  it('of another account is not even asked for', async () => {
    let asked = 0;
    const status = {
      getJob: async ({ jobId }: { jobId: string }) => ({ jobId, status: 'processing' as const, n: ++asked }),
    };
    const jobId = jobIds.issue({ account: 'globex', collectionId: 'c' }, acceptedAt);

    await expect(createLookUpJob({ jobIds, status })(caller, jobId, {})).rejects.toMatchObject({
      code: 'job_not_found',
    });
    expect(asked).toBe(0);
  });
});

describe('formatMoment', () => {
  it.each([
    [Date.UTC(2026, 2, 5, 18, 15, 37) * 1000 + 903_173, '2026-03-05T18:15:37.903173'],
    [0, '1970-01-01T00:00:00.000000'],
    [1_000_001, '1970-01-01T00:00:01.000001'],
    [-1, '1969-12-31T23:59:59.999999'],
  ])('%d is %s', (moment, text) => {
    expect(formatMoment(moment)).toBe(text);
  });
});
