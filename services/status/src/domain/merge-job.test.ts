import type { JobCompleted, JobEvent, JobFailed, JobProcessing } from '@whetstone/contracts';
import fc from 'fast-check';

import { mergeJob } from './merge-job.js';

const processing: JobProcessing = { status: 'processing', jobId: 'job_1', acceptedAt: 1, startedAt: 10 };
const failed: JobFailed = { status: 'failed', jobId: 'job_1', acceptedAt: 1, failedAt: 20, errorMessage: 'sealed' };
const completed: JobCompleted = {
  status: 'completed',
  jobId: 'job_1',
  acceptedAt: 1,
  startedAt: 10,
  completedAt: 30,
  insightsStored: 2,
  outcome: 'stored',
};

// Small numbers, so that ties are common.
const moment = fc.integer({ min: 1, max: 3 });
const anyEvent: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.record({
    status: fc.constant('processing' as const),
    jobId: fc.constant('j'),
    acceptedAt: moment,
    startedAt: moment,
  }),
  fc.record(
    {
      status: fc.constant('failed' as const),
      jobId: fc.constant('j'),
      acceptedAt: moment,
      startedAt: moment,
      failedAt: moment,
      errorMessage: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['status', 'jobId', 'acceptedAt', 'failedAt', 'errorMessage'] },
  ),
  fc.record({
    status: fc.constant('completed' as const),
    jobId: fc.constant('j'),
    acceptedAt: moment,
    startedAt: moment,
    completedAt: moment,
    insightsStored: fc.integer({ min: 0, max: 2 }),
    outcome: fc.constantFrom('stored' as const, 'deleted' as const),
  }),
);

describe('mergeJob', () => {
  it('does not care about the order, but for two completions', () => {
    fc.assert(
      fc.property(anyEvent, anyEvent, (a, b) => {
        fc.pre(a.status !== 'completed' || b.status !== 'completed');
        expect(mergeJob(a, b)).toEqual(mergeJob(b, a));
      }),
    );
  });

  it('does not care about repetition', () => {
    fc.assert(
      fc.property(anyEvent, anyEvent, (a, b) => {
        expect(mergeJob(a, a)).toEqual(a);
        expect(mergeJob(mergeJob(a, b), b)).toEqual(mergeJob(a, b));
      }),
    );
  });

  it('does not care about grouping', () => {
    fc.assert(
      fc.property(anyEvent, anyEvent, anyEvent, (a, b, c) => {
        expect(mergeJob(a, mergeJob(b, c))).toEqual(mergeJob(mergeJob(a, b), c));
      }),
    );
  });

  it('takes completed over failed over processing', () => {
    expect(mergeJob(processing, failed)).toBe(failed);
    expect(mergeJob(completed, failed)).toBe(completed);
    expect(mergeJob(processing, completed)).toBe(completed);
  });

  it('keeps the end that was told when a second delivery reports another', () => {
    expect(mergeJob(completed, { ...completed, completedAt: 40, insightsStored: 0 })).toBe(completed);
  });

  it('keeps it also when a worker that stood still appends late an end that it had reached before', () => {
    expect(mergeJob(completed, { ...completed, completedAt: 20 })).toBe(completed);
  });

  it('keeps the start that was told when a second delivery begins again', () => {
    expect(mergeJob(processing, { ...processing, startedAt: 15 })).toBe(processing);
  });

  it('takes the failure of an operator’s replay over the first one', () => {
    const again = { ...failed, failedAt: 99 };

    expect(mergeJob(failed, again)).toBe(again);
  });
});
