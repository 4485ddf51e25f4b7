import type { JobCompleted, JobFailed, JobProcessing } from '@whetstone/contracts';
import { createJobIds, createRootSecrets, createSeal } from '@whetstone/identity';
import fc from 'fast-check';

import { expiresAt, stateOf } from './state-of.js';

const minute = 60 * 1_000_000;
const hour = 60 * minute;
const day = 24 * hour;
const acceptedAt = Date.UTC(2026, 2, 5, 18, 15) * 1000;
const endOfDay = Date.UTC(2026, 2, 6) * 1000 - 1;

const roots = createRootSecrets('a root secret of at least thirty-two characters');
const seal = createSeal(roots);
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
    expect(stateOf(jobId, undefined, acceptedAt, seal)).toEqual({ jobId, status: 'processing', acceptedAt });
  });

  it('tells when it started once that is known', () => {
    expect(stateOf(jobId, started, acceptedAt + minute, seal)).toEqual(started);
  });

  it('is processing until ten minutes after its deadline, and failed from then on', () => {
    const turn = acceptedAt + day + 10 * minute;

    expect(stateOf(jobId, started, turn - 1, seal).status).toBe('processing');
    expect(stateOf(jobId, undefined, turn - 1, seal).status).toBe('processing');
    expect(stateOf(jobId, started, turn, seal)).toMatchObject({
      status: 'failed',
      acceptedAt,
      startedAt: started.startedAt,
      failedAt: acceptedAt + day,
      derived: true,
    });
    expect(stateOf(jobId, undefined, turn, seal)).toMatchObject({ status: 'failed', failedAt: acceptedAt + day });
  });

  it('says the same at every poll after its deadline, and operators can read why', () => {
    const one = stateOf(jobId, undefined, acceptedAt + 2 * day, seal);
    const other = stateOf(jobId, undefined, acceptedAt + 9 * day, createSeal(roots));

    expect(one).toEqual(other);
    expect(seal.open(one.errorMessage ?? '')).toContain('deadline_exceeded');
  });

  it('is expired 30 days after it was accepted', () => {
    expect(stateOf(jobId, undefined, acceptedAt + 30 * day - 1, seal).status).toBe('failed');
    expect(stateOf(jobId, undefined, acceptedAt + 30 * day, seal)).toEqual({ jobId, status: 'expired' });
  });
});

describe('stateOf a job with an idempotency key', () => {
  it('does not claim to know when it was accepted before its first record', () => {
    expect(stateOf(idempotentId, undefined, acceptedAt, seal)).toEqual({ jobId: idempotentId, status: 'processing' });
  });

  it('meets its deadline and its expiry counted from the end of its day', () => {
    const at = (now: number) => stateOf(idempotentId, undefined, now, seal);

    expect(at(endOfDay + day + 10 * minute - 1).status).toBe('processing');
    expect(at(endOfDay + day + 10 * minute)).toMatchObject({ status: 'failed', failedAt: endOfDay + day });
    expect(at(endOfDay + 30 * day - 1).status).toBe('failed');
    expect(at(endOfDay + 30 * day).status).toBe('expired');
  });

  it('counts from its acceptance once a record tells it', () => {
    const record = { ...started, jobId: idempotentId };

    expect(stateOf(idempotentId, record, acceptedAt + minute, seal)).toEqual(record);
    expect(stateOf(idempotentId, record, acceptedAt + day + 10 * minute, seal)).toMatchObject({
      status: 'failed',
      failedAt: acceptedAt + day,
    });
  });
});

describe('stateOf a job that has ended', () => {
  it.each([completed, failed])('tells its record ($status), also long after the deadline', (record) => {
    expect(stateOf(jobId, record, acceptedAt + day + hour, seal)).toEqual(record);
    expect(stateOf(jobId, record, acceptedAt + 29 * day, seal)).toEqual(record);
  });

  it('keeps the record 30 days from the end', () => {
    expect(stateOf(jobId, completed, completed.completedAt + 30 * day - 1, seal)).toEqual(completed);
    expect(stateOf(jobId, completed, completed.completedAt + 30 * day, seal).status).toBe('expired');
  });
});

describe('stateOf anything', () => {
  it('never comes back from its end: not from failed by deadline, not from expired, whether or not the row is purged', () => {
    const order = { processing: 0, failed: 1, completed: 1, expired: 2 };
    const ids = fc.constantFrom(jobId, idempotentId);
    const records = fc.constantFrom(undefined, started, failed, completed);
    const moments = fc.integer({ min: acceptedAt, max: acceptedAt + 40 * day });
    fc.assert(
      fc.property(ids, records, moments, moments, (id, known, a, b) => {
        const record = known && { ...known, jobId: id };
        const kept = (now: number) => (record && now < expiresAt(record) ? record : undefined);
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map((now) => stateOf(id, kept(now), now, seal));
        expect(order[later!.status]).toBeGreaterThanOrEqual(order[earlier!.status]);
      }),
      { numRuns: 500 },
    );
  });

  it('is expired for what is no id', () => {
    expect(stateOf('job_nonsense', undefined, acceptedAt, seal).status).toBe('expired');
  });
});
