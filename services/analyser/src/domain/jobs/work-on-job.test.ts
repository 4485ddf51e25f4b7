import type { JobFailed } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryJobs,
  createInMemoryKnowledge,
  createPlainProducer,
  createWorkbench,
  failing,
  minute,
  reflectionOf,
  startOfTest,
  testSeal,
} from '../../test-kit/index.js';

const at = startOfTest - 5 * minute;

describe('a try that fails', () => {
  it('is followed by two more', async () => {
    const producer = createPlainProducer(failing(2, (it) => Promise.resolve(reflectionOf(it)), 'analysis_failed'));
    const { process, heard, letters } = createWorkbench({ producer });

    expect(await process(anUpload({ at }))).toBe('completed');
    expect(heard).toEqual(['retried', 'retried', 'ended stored']);
    expect(letters).toEqual([]);
  });

  it('ends the job when it is the third, with a sealed reason', async () => {
    const producer = createPlainProducer(failing(3, (it) => Promise.resolve(reflectionOf(it)), 'analysis_timeout'));
    const { process, jobs, letters } = createWorkbench({ producer });
    const upload = anUpload({ at });

    expect(await process(upload)).toBe('failed');

    expect(letters).toMatchObject([{ upload, reason: 'analysis_timeout', tries: 3 }]);
    const [, end] = jobs.events;
    expect(end).toMatchObject({ status: 'failed', acceptedAt: at });
    if (end?.status !== 'failed') throw new Error('not failed');
    expect(testSeal.open(end.errorMessage)).toBe('analysis_timeout: does not work now (tries: 3)');
  });

  it('leaves no word of an unexpected error in the records of the job: it may quote the upload', async () => {
    const quoting = () => Promise.reject(new RangeError('Invalid value: "Refund the purple umbrella"'));
    const { process, jobs, letters } = createWorkbench({ producer: createPlainProducer(quoting) });

    expect(await process(anUpload({ at }))).toBe('failed');

    const detail = "Unexpected RangeError; the analyser's log says why";
    expect(letters).toMatchObject([{ reason: 'internal', detail }]);
    expect(testSeal.open((jobs.events.at(-1) as JobFailed).errorMessage)).toBe(`internal: ${detail} (tries: 3)`);
  });

  it.each(['too_many_collections', 'shard_full', 'too_large'] as const)('is the last when it says %s', async (code) => {
    const knowledge = createInMemoryKnowledge();
    const replace = failing(1, knowledge.replace, code);
    const { process, letters } = createWorkbench({ knowledge: { ...knowledge, replace } });

    expect(await process(anUpload({ at }))).toBe('failed');
    expect(letters).toMatchObject([{ reason: code, tries: 1 }]);
  });

  it.each([
    ['too_many_collections', 'does not work now'],
    ['shard_full', undefined],
  ] as const)('tells the caller why only where the caller caused it: %s', async (code, reason) => {
    const knowledge = createInMemoryKnowledge();
    const replace = failing(1, knowledge.replace, code);
    const { process, jobs } = createWorkbench({ knowledge: { ...knowledge, replace } });

    await process(anUpload({ at }));

    expect((jobs.events.at(-1) as JobFailed).reason).toBe(reason);
  });

  it('is one that takes too long to store', async () => {
    const knowledge = createInMemoryKnowledge();
    let calls = 0;
    const replace: typeof knowledge.replace = (request, call) =>
      ++calls === 1 ? new Promise(() => {}) : knowledge.replace(request, call);
    const { process, heard } = createWorkbench({ knowledge: { ...knowledge, replace } }, { storingTimeoutMs: 20 });

    expect(await process(anUpload({ at }))).toBe('completed');
    expect(heard).toEqual(['retried', 'ended stored']);
  });

  it('does not analyse again what is already learnt', async () => {
    let analyses = 0;
    const producer = createPlainProducer((it) => {
      analyses++;
      return Promise.resolve(reflectionOf(it));
    });
    const knowledge = createInMemoryKnowledge();
    const replace = failing(2, knowledge.replace);
    const { process } = createWorkbench({ producer, knowledge: { ...knowledge, replace } });

    await process(anUpload({ at }));

    expect(analyses).toBe(1);
  });
});

describe('a dependency that is away', () => {
  it('costs no try, and the job completes when it is back', async () => {
    const knowledge = createInMemoryKnowledge();
    const replace = failing(12, knowledge.replace, 'store_unavailable', true);
    const { process, heard } = createWorkbench({ knowledge: { ...knowledge, replace } });

    expect(await process(anUpload({ at }))).toBe('completed');
    expect(heard).toEqual(['ended stored']);
  });

  it('is waited for when it is status, which is never guessed', async () => {
    const jobs = createInMemoryJobs();
    const getJob = failing(12, jobs.getJob, 'status_unavailable', true);
    const { process, knowledge } = createWorkbench({ jobs: { getJob }, appendEvent: jobs.appendEvent });
    const upload = anUpload({ at });
    await jobs.appendEvent({
      status: 'failed',
      jobId: upload.jobId,
      acceptedAt: at,
      failedAt: at + 1,
      errorMessage: 'x',
    });

    expect(await process(upload)).toBe('skipped');
    expect(knowledge.calls).toEqual([]);
  });

  it('is waited for when it is the log, for every record and the dead letter', async () => {
    const jobs = createInMemoryJobs();
    const letters: unknown[] = [];
    const away = ['log_unavailable', true] as const;
    const bury = (letter: unknown) => Promise.resolve(void letters.push(letter));
    const { process } = createWorkbench({
      jobs,
      appendEvent: failing(5, jobs.appendEvent, ...away),
      appendDeadLetter: failing(5, bury, ...away),
      producer: createPlainProducer(failing(3, () => Promise.reject(new Error('never')))),
    });

    expect(await process(anUpload({ at }))).toBe('failed');
    expect(jobs.events.map(({ status }) => status)).toEqual(['processing', 'failed']);
    expect(letters).toHaveLength(1);
  });
});

describe('an attempt that is superseded', () => {
  it('writes no end when the other one has ended the job', async () => {
    const jobs = createInMemoryJobs();
    const upload = anUpload({ at });
    const knowledge = createInMemoryKnowledge();
    const replace = async () => {
      const { jobId } = upload;
      const end = { startedAt: at, completedAt: at + 2, insightsStored: 1, outcome: 'stored' } as const;
      await jobs.appendEvent({ status: 'completed', jobId, acceptedAt: at, ...end });
      return { outcome: 'superseded' as const, insightsStored: 0 };
    };
    const { process } = createWorkbench({ jobs, appendEvent: jobs.appendEvent, knowledge: { ...knowledge, replace } });

    expect(await process(upload)).toBe('skipped');
    expect(jobs.events.map(({ status }) => status)).toEqual(['processing', 'completed']);
  });

  it('is followed by a higher one when the job has no end, also where that was made by a clock ahead', async () => {
    const knowledge = createInMemoryKnowledge();
    const upload = anUpload({ at });
    const { process, clock } = createWorkbench({ knowledge });
    const [highest] = [`${String(clock.time + 4 * minute).padStart(17, '0')}-other`];
    await knowledge.replace({ ...(await requestOf(upload)), attempt: highest }, {});

    expect(await process(upload)).toBe('completed');

    expect(knowledge.attemptsOf(upload.jobId)).toHaveLength(1);
    expect(knowledge.attemptsOf(upload.jobId)).not.toContain(highest);
    expect(knowledge.insightsOf(upload.jobId)).toHaveLength(1);
  });
});

describe('a job that was in hand for so long that another may have taken it over', () => {
  const upload = anUpload({ at });
  const { jobId } = upload;
  const ends = {
    completed: { startedAt: at, completedAt: at + 2, insightsStored: 1, outcome: 'stored' },
    failed: { failedAt: at + 2, errorMessage: 'sealed' },
  } as const;

  /** Stands still in the middle of its work for a minute, in which another ends the job or does not. */
  function stalledBench(by: 'completed' | 'failed' | 'nobody', fails = false) {
    const producer = createPlainProducer(async (it) => {
      bench.clock.time += minute;
      if (by === 'completed') await bench.jobs.appendEvent({ status: by, jobId, acceptedAt: at, ...ends[by] });
      if (by === 'failed') await bench.jobs.appendEvent({ status: by, jobId, acceptedAt: at, ...ends[by] });
      if (fails) throw new AppError('invalid_argument', 'no good');
      return reflectionOf(it);
    });
    const bench = createWorkbench({ producer });
    return bench;
  }

  it.each(['completed', 'failed'] as const)('keeps the end that the other has written: %s', async (status) => {
    const { process, jobs, heard } = stalledBench(status);

    expect(await process(upload)).toBe('skipped');

    expect(jobs.events.map((event) => event.status)).toEqual(['processing', status]);
    expect(heard).toEqual([]);
  });

  it.each(['completed', 'failed'] as const)('is not given up on top of the end of the other: %s', async (status) => {
    const { process, jobs, letters } = stalledBench(status, true);

    expect(await process(upload)).toBe('skipped');

    expect(jobs.events.map((event) => event.status)).toEqual(['processing', status]);
    expect(letters).toEqual([]);
  });

  it('is ended where nobody has', async () => {
    expect(await stalledBench('nobody').process(upload)).toBe('completed');
    expect(await stalledBench('nobody', true).process(upload)).toBe('failed');
  });

  it('is completed by a replay whatever had failed before it', async () => {
    const bench = stalledBench('failed');

    expect(await bench.process({ ...upload, replayedAt: startOfTest })).toBe('completed');
  });

  it('knows its own end, which was written and not acknowledged', async () => {
    const jobs = createInMemoryJobs();
    const appendEvent: typeof jobs.appendEvent = async (event) => {
      await jobs.appendEvent(event);
      bench.clock.time += minute;
      if (event.status === 'completed') throw new AppError('log_unavailable', 'no answer', { retryable: true });
    };
    const bench = createWorkbench({ jobs, appendEvent });

    expect(await bench.process(upload)).toBe('completed');

    expect(jobs.events.map(({ status }) => status)).toEqual(['processing', 'completed']);
    expect(bench.heard).toEqual(['ended stored']);
  });
});

async function requestOf(upload: ReturnType<typeof anUpload>) {
  const other = createWorkbench();
  await other.process(upload);
  const [request] = other.knowledge.calls;
  if (!request) throw new Error('nothing was stored');
  return request;
}
