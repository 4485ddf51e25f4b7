import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryJobs,
  createInMemoryKnowledge,
  createWorkbench,
  createWorkbenchThatCannotComplete,
  derivedFailure,
  hour,
  jobStateOf,
  minute,
  startOfTest,
} from '../../test-kit/index.js';

const at = startOfTest - 5 * minute;

describe('the deadline', () => {
  it('fails a job that is found past it, at the very deadline, and keeps the upload', async () => {
    const { process, jobs, letters, knowledge } = createWorkbench();
    const upload = anUpload({ at: startOfTest - 24 * hour - 1 });

    expect(await process(upload)).toBe('failed');

    expect(jobs.events).toMatchObject([{ status: 'failed', failedAt: upload.acceptedAt + 24 * hour }]);
    expect(letters).toMatchObject([{ reason: 'deadline_exceeded', upload: { jobId: upload.jobId } }]);
    expect(knowledge.calls).toEqual([]);
  });

  it('is not reached before 24 hours have passed', async () => {
    const { process } = createWorkbench();

    expect(await process(anUpload({ at: startOfTest - 24 * hour + minute }))).toBe('completed');
  });

  it('ends a job that has waited for a dependency until then', async () => {
    const bench = createWorkbench({
      knowledge: {
        ...createInMemoryKnowledge(),
        replace: () => {
          bench.clock.time += 6 * hour;
          return Promise.reject(new AppError('store_unavailable', 'away', { retryable: true }));
        },
      },
    });

    expect(await bench.process(anUpload({ at }))).toBe('failed');
    expect(bench.letters).toMatchObject([{ reason: 'deadline_exceeded', tries: 0 }]);
  });

  it('writes down what status has told already, word for word', async () => {
    const jobs = createInMemoryJobs();
    const upload = anUpload({ at: startOfTest - 30 * hour });
    const told = derivedFailure(upload);
    const { process, letters } = createWorkbench({
      jobs: { getJob: () => Promise.resolve(told) },
      appendEvent: jobs.appendEvent,
    });

    expect(await process(upload)).toBe('failed');

    const { failedAt, errorMessage } = told;
    expect(jobs.events).toMatchObject([{ status: 'failed', failedAt, errorMessage }]);
    expect(letters).toHaveLength(1);
  });

  it('is the end of a job whose end could not be written in time', async () => {
    const bench = createWorkbenchThatCannotComplete(13 * hour);
    const upload = anUpload({ at });

    expect(await bench.process(upload)).toBe('failed');

    expect(jobStateOf(upload.jobId, bench.jobs.events)).toMatchObject({ status: 'failed', failedAt: at + 24 * hour });
  });
});
