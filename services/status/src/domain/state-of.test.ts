import type { JobCompleted, JobFailed, JobProcessing } from '@whetstone/contracts';
import { createJobIds, createRootSecrets } from '@whetstone/identity';
import fc from 'fast-check';

import { expiresAt, stateOf } from './state-of.js';

const minute = 60 * 1_000_000;
const hour = 60 * minute;
const day = 24 * hour;
const acceptedAt = Date.UTC(2026, 2, 5, 18, 15) * 1000;
const endOfDay = Date.UTC(2026, 2, 6) * 1000 - 1;

const roots = createRootSecrets('a root secret of at least thirty-two characters');
const jobIds = createJobIds(roots);
const owner = { account: 'acme', collectionId: 'c1' };
const jobId = jobIds.issue(owner, acceptedAt);
const idempotentId = jobIds.issue(owner, acceptedAt, { key: 'order-66', bodyDigest: 'd' });

const started: JobProcessing = { status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 5 };
const failed: JobFailed = { status: 'failed', jobId, acceptedAt, failedAt: acceptedAt + hour, errorMessage: 'sealed' };
const completed: JobCompleted = {
  ...started,
  status: 'completed',
  completedAt: acceptedAt + 20 * hour,
  insightsStored: 1,
  outcome: 'stored',
};

describe('stateOf a job without an end', () => {
  it('is processing from the very moment of acceptance', () => {
    expect(stateOf(jobId, undefined, acceptedAt)).toEqual({ jobId, status: 'processing', acceptedAt });
  });

  it('tells when it started once that is known', () => {
    expect(stateOf(jobId, started, acceptedAt + minute)).toEqual(started);
  });

  it('is processing however long nobody works on it, and the same at every poll', () => {
    for (const now of [acceptedAt + day, acceptedAt + 8 * day, acceptedAt + 30 * day - 1]) {
      expect(stateOf(jobId, undefined, now)).toEqual({ jobId, status: 'processing', acceptedAt });
      expect(stateOf(jobId, started, now)).toEqual(started);
    }
  });

  it('is expired 30 days after it was accepted', () => {
    expect(stateOf(jobId, undefined, acceptedAt + 30 * day)).toEqual({ jobId, status: 'expired' });
  });

  it('does not expire while it is worked on, however late that began', () => {
    const late = { ...started, startedAt: acceptedAt + 29 * day };

    expect(stateOf(jobId, late, acceptedAt + 31 * day)).toEqual(late);
  });
});

describe('stateOf a job with an idempotency key', () => {
  it('does not claim to know when it was accepted before its first record', () => {
    expect(stateOf(idempotentId, undefined, acceptedAt)).toEqual({ jobId: idempotentId, status: 'processing' });
  });

  it('expires 30 days after the end of its day', () => {
    expect(stateOf(idempotentId, undefined, endOfDay + 30 * day - 1).status).toBe('processing');
    expect(stateOf(idempotentId, undefined, endOfDay + 30 * day).status).toBe('expired');
  });

  it('tells when it was accepted once a record tells it', () => {
    const record = { ...started, jobId: idempotentId };

    expect(stateOf(idempotentId, record, acceptedAt + minute)).toEqual(record);
  });
});

describe('stateOf a job that has ended', () => {
  it.each([completed, failed])('tells its record ($status), also long after it', (record) => {
    expect(stateOf(jobId, record, acceptedAt + day + hour)).toEqual(record);
    expect(stateOf(jobId, record, acceptedAt + 29 * day)).toEqual(record);
  });

  it('keeps the record 30 days from the end', () => {
    expect(stateOf(jobId, completed, completed.completedAt + 30 * day - 1)).toEqual(completed);
    expect(stateOf(jobId, completed, completed.completedAt + 30 * day).status).toBe('expired');
  });
});

describe('stateOf anything', () => {
  it('never comes back from its end, nor from expired, whether or not the row is purged', () => {
    const order = { processing: 0, failed: 1, completed: 1, expired: 2 };
    const ids = fc.constantFrom(jobId, idempotentId);
    const records = fc.constantFrom(undefined, started, failed, completed);
    const moments = fc.integer({ min: acceptedAt, max: acceptedAt + 40 * day });
    fc.assert(
      fc.property(ids, records, moments, moments, (id, known, a, b) => {
        const record = known && { ...known, jobId: id };
        const kept = (now: number) => (record && now < expiresAt(record) ? record : undefined);
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map((now) => stateOf(id, kept(now), now));
        expect(order[later!.status]).toBeGreaterThanOrEqual(order[earlier!.status]);
      }),
      { numRuns: 500 },
    );
  });

  it('is expired for what is no id', () => {
    expect(stateOf('job_nonsense', undefined, acceptedAt).status).toBe('expired');
  });
});
