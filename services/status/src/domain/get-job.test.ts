import type { JobEvent } from '@whetstone/contracts';
import { createJobIds, createRootSecrets } from '@whetstone/identity';

import { createGetJob } from './get-job.js';

const roots = createRootSecrets('a root secret of at least thirty-two characters');
const acceptedAt = Date.UTC(2026, 2, 5) * 1000;
const dayMicros = 24 * 60 * 60 * 1_000_000;
const jobId = createJobIds(roots).issue({ account: 'acme', collectionId: 'c1' }, acceptedAt);
const completed: JobEvent = {
  status: 'completed',
  jobId,
  acceptedAt,
  startedAt: acceptedAt + 1,
  completedAt: acceptedAt + 2,
  insightsStored: 1,
  outcome: 'stored',
};

describe('getJob', () => {
  it('does not call a job failed by its deadline before it has looked whether there is an end', async () => {
    const getJob = setUp({ now: acceptedAt + 2 * dayMicros, afterCatchingUp: completed });

    expect(await getJob({ jobId }, {})).toEqual(completed);
  });

  it('does not ask the log about a job whose end is known', async () => {
    const getJob = setUp({ known: completed, catchUp: () => Promise.reject(new Error('asked')) });

    expect(await getJob({ jobId }, {})).toEqual(completed);
  });

  it('refuses to guess when the view does not keep up', async () => {
    const getJob = setUp({ catchUp: () => new Promise(() => {}) });

    await expect(getJob({ jobId }, {})).rejects.toMatchObject({ code: 'status_unavailable', retryable: true });
  });

  it('stops waiting when the caller does', async () => {
    const getJob = setUp({ catchUp: () => new Promise(() => {}), catchUpTimeoutMs: 60_000 });
    const caller = new AbortController();

    const answer = getJob({ jobId }, { signal: caller.signal });
    caller.abort();

    await expect(answer).rejects.toMatchObject({ code: 'status_unavailable' });
  });
});

interface Situation {
  now?: number;
  known?: JobEvent;
  afterCatchingUp?: JobEvent;
  catchUp?(): Promise<void>;
  catchUpTimeoutMs?: number;
}

function setUp({ now = acceptedAt, known, afterCatchingUp, catchUp, catchUpTimeoutMs = 5 }: Situation) {
  let record = known;
  const records = {
    ready: true,
    report: () => undefined,
    get: () => record,
    catchUp:
      catchUp ??
      (async () => {
        record = afterCatchingUp;
      }),
    untilEnded: async () => {},
  };
  return createGetJob({ records, clock: { now: () => now } }, { catchUpTimeoutMs });
}
