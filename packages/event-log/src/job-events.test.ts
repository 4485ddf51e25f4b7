import type { JobEvent } from '@whetstone/contracts';

import { readJobEvent, toJobLogEvent } from './job-events.js';

const completed: JobEvent = {
  status: 'completed',
  jobId: 'job_1',
  acceptedAt: 1,
  startedAt: 2,
  completedAt: 3,
  insightsStored: 0,
  outcome: 'nothing_to_learn',
};

describe('toJobLogEvent', () => {
  it('keeps the records of a job apart by status and together by partition', async () => {
    const ended = await toJobLogEvent(completed);
    const begun = await toJobLogEvent({ status: 'processing', jobId: 'job_1', acceptedAt: 1, startedAt: 2 });

    expect(ended.key).not.toBe(begun.key);
    expect(ended.partitionKey).toBe(begun.partitionKey);
  });

  it('keeps two completions apart, so that neither is compacted away', async () => {
    const [one, other] = [await toJobLogEvent(completed), await toJobLogEvent({ ...completed, completedAt: 4 })];

    expect(one.key).not.toBe(other.key);
    expect(one.partitionKey).toBe(other.partitionKey);
  });

  it('is read back by readJobEvent', async () => {
    const { key, value } = await toJobLogEvent(completed);
    const event = { topic: 't', partition: 0, offset: 0, timestampMs: 0, headers: {}, key, value };

    expect(await readJobEvent(event)).toEqual(completed);
  });
});
