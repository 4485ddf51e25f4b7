import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryJobs,
  createInMemoryKnowledge,
  createPlainProducer,
  createWorkbench,
  deliveryOf,
  derivedFailure,
  failing,
  hour,
  jobStateOf,
  minute,
  reflectionOf,
  startOfTest,
  testSeal,
} from '../test-kit/index.js';

const at = startOfTest - 5 * minute;

describe('a job', () => {
  it('is completed with what it stored', async () => {
    const { process, jobs, knowledge, heard } = createWorkbench();
    const upload = anUpload({ at, query: 'Refund an order' });

    expect(await process(upload)).toBe('completed');

    expect(jobs.events.map(({ status }) => status)).toEqual(['processing', 'completed']);
    expect(jobs.events[1]).toMatchObject({ jobId: upload.jobId, acceptedAt: at, insightsStored: 1, outcome: 'stored' });
    expect(knowledge.insightsOf(upload.jobId)).toMatchObject([{ title: 'Refund an order' }]);
    expect(heard).toEqual(['ended stored']);
  });

  it('hands its origin to the indexer', async () => {
    const { process, knowledge } = createWorkbench();
    const upload = anUpload({ at });

    await process(upload);

    const { jobId, keyId, bodyDigest, collectionId } = upload;
    expect(knowledge.calls).toMatchObject([
      {
        collectionId,
        jobId,
        intent: 'Refund an order',
        origin: { jobId, keyId, bodyDigest, acceptedAt: at, agentType: 'tool-calling', interactionTime: at },
      },
    ]);
  });

  it('completes with nothing to learn, and still leaves its run', async () => {
    const { process, jobs, knowledge } = createWorkbench();
    const upload = anUpload({ at, turns: [] });

    await process(upload);

    expect(jobs.events[1]).toMatchObject({ outcome: 'nothing_to_learn', insightsStored: 0 });
    expect(knowledge.attemptsOf(upload.jobId)).toHaveLength(1);
  });

  it('completes as deleted when a deletion covers it', async () => {
    const replace = () => Promise.resolve({ outcome: 'deleted' as const, insightsStored: 0 });
    const { process, jobs } = createWorkbench({ knowledge: { ...createInMemoryKnowledge(), replace } });

    await process(anUpload({ at }));

    expect(jobs.events[1]).toMatchObject({ outcome: 'deleted', insightsStored: 0 });
  });

  it('counts the insights that its producer did not keep', async () => {
    const produce = createPlainProducer((it) => Promise.resolve({ ...reflectionOf(it), dropped: { secret: 2 } }));
    const { process, heard } = createWorkbench({ producer: produce });

    await process(anUpload({ at }));

    expect(heard).toContain('dropped 2 secret');
  });
});

describe('a delivery of a job that has ended', () => {
  it('changes nothing when the job was completed', async () => {
    const { process, jobs, knowledge } = createWorkbench();
    const upload = anUpload({ at });
    await process(upload);
    const before = [...jobs.events];

    expect(await process(upload)).toBe('skipped');

    expect(jobs.events).toEqual(before);
    expect(knowledge.calls).toHaveLength(1);
  });

  it('changes nothing when the job has failed', async () => {
    const producer = createPlainProducer(failing(99, () => Promise.reject(new Error('never'))));
    const { process, jobs, letters } = createWorkbench({ producer });
    const upload = anUpload({ at });
    await process(upload);

    expect(await process(upload)).toBe('skipped');

    expect(jobs.events).toHaveLength(2);
    expect(letters).toHaveLength(1);
  });

  it('stores a job once even when two deliveries of it are under way at the same time', async () => {
    const { process, jobs, knowledge } = createWorkbench();
    const upload = anUpload({ at });

    await Promise.all([process(upload), process(upload), process(upload)]);

    expect(knowledge.attemptsOf(upload.jobId)).toHaveLength(1);
    expect(knowledge.insightsOf(upload.jobId)).toHaveLength(1);
    expect(jobStateOf(upload.jobId, jobs.events)).toMatchObject({ status: 'completed', insightsStored: 1 });
  });
});

describe('an operator’s replay', () => {
  it('turns a failed job into a completed one', async () => {
    const producer = createPlainProducer(failing(3, (it) => Promise.resolve(reflectionOf(it))));
    const { process, jobs, clock } = createWorkbench({ producer });
    const upload = anUpload({ at });
    await process(upload);

    const replayed = { ...upload, replayedAt: clock.now() };
    expect(await process(replayed)).toBe('completed');
    expect(await process(replayed)).toBe('skipped');

    expect(jobStateOf(upload.jobId, jobs.events)).toMatchObject({ status: 'completed', insightsStored: 1 });
  });

  it('is skipped once it has failed itself', async () => {
    const producer = createPlainProducer(failing(99, () => Promise.reject(new Error('never'))));
    const { process, letters, clock } = createWorkbench({ producer });
    const upload = anUpload({ at });
    await process(upload);
    const replayed = { ...upload, replayedAt: clock.now() };

    expect([await process(replayed), await process(replayed)]).toEqual(['failed', 'skipped']);
    expect(letters).toHaveLength(2);
  });

  it('has a deadline of its own', async () => {
    const { process, clock } = createWorkbench();
    const old = anUpload({ at: at - 72 * hour });

    expect(await process({ ...old, replayedAt: clock.time - 23 * hour })).toBe('completed');
  });
});

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
    const { process, letters } = createWorkbench({ jobs: { getJob: () => Promise.resolve(told) }, events: jobs });

    expect(await process(upload)).toBe('failed');

    const { failedAt, errorMessage } = told;
    expect(jobs.events).toMatchObject([{ status: 'failed', failedAt, errorMessage }]);
    expect(letters).toHaveLength(1);
  });

  it('is the end of a job whose end could not be written in time', async () => {
    const jobs = createInMemoryJobs();
    const bench = createWorkbench({
      jobs,
      events: {
        append: (event) => {
          if (event.status !== 'completed') return jobs.append(event);
          bench.clock.time += 13 * hour;
          return Promise.reject(new AppError('log_unavailable', 'away', { retryable: true }));
        },
      },
    });
    const upload = anUpload({ at });

    expect(await bench.process(upload)).toBe('failed');

    expect(jobStateOf(upload.jobId, jobs.events)).toMatchObject({ status: 'failed', failedAt: at + 24 * hour });
  });
});

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

  it.each(['too_many_collections', 'shard_full', 'too_large'] as const)('is the last when it says %s', async (code) => {
    const knowledge = createInMemoryKnowledge();
    const replace = failing(1, knowledge.replace, code);
    const { process, letters } = createWorkbench({ knowledge: { ...knowledge, replace } });

    expect(await process(anUpload({ at }))).toBe('failed');
    expect(letters).toMatchObject([{ reason: code, tries: 1 }]);
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
    const { process, knowledge } = createWorkbench({ jobs: { getJob }, events: jobs });
    const upload = anUpload({ at });
    await jobs.append({ status: 'failed', jobId: upload.jobId, acceptedAt: at, failedAt: at + 1, errorMessage: 'x' });

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
      events: { append: failing(5, jobs.append, ...away) },
      deadLetters: { append: failing(5, bury, ...away) },
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
      await jobs.append({ status: 'completed', jobId, acceptedAt: at, ...end });
      return { outcome: 'superseded' as const, insightsStored: 0 };
    };
    const { process } = createWorkbench({ jobs, events: jobs, knowledge: { ...knowledge, replace } });

    expect(await process(upload)).toBe('skipped');
    expect(jobs.events.map(({ status }) => status)).toEqual(['processing', 'completed']);
  });

  it('is followed by a higher one when the job has no end', async () => {
    const knowledge = createInMemoryKnowledge();
    const upload = anUpload({ at });
    const { process, clock } = createWorkbench({ knowledge });
    const [highest] = [`${String(clock.time + 4 * minute).padStart(17, '0')}-other`];
    await knowledge.replace({ ...(await requestOf(upload)), attempt: highest }, {});
    const inTime = setInterval(() => {
      clock.time += minute;
    }, 1);

    expect(await process(upload)).toBe('completed');
    clearInterval(inTime);

    expect(knowledge.attemptsOf(upload.jobId)).toHaveLength(1);
    expect(knowledge.attemptsOf(upload.jobId)).not.toContain(highest);
    expect(knowledge.insightsOf(upload.jobId)).toHaveLength(1);
  });
});

describe('a message that cannot be read', () => {
  const undecodable = {
    ...deliveryOf('x'),
    decode: () => Promise.reject(new AppError('invalid_argument', 'not JSON')),
  };

  it('goes to the dead letters as it is', async () => {
    const { deliver, letters, jobs } = createWorkbench();

    expect(await deliver(undecodable)).toBe('failed');

    expect(letters).toMatchObject([{ unreadable: deliveryOf('x').raw(), reason: 'unreadable_message' }]);
    expect(jobs.events).toEqual([]);
  });

  it('fails its job where that can be read, once', async () => {
    const { deliver, letters, jobs } = createWorkbench();
    const upload = anUpload({ at });
    const wrong = deliveryOf({ ...upload, interaction: { query: 'no turns' } });

    expect([await deliver(wrong), await deliver(wrong)]).toEqual(['failed', 'skipped']);

    expect(jobs.events).toMatchObject([{ status: 'failed', jobId: upload.jobId, acceptedAt: at }]);
    expect(letters).toMatchObject([{ detail: expect.stringContaining('interaction.turns') }]);
  });

  it('fails its job where only the outside of the message names it', async () => {
    const { deliver, jobs } = createWorkbench();
    const { jobId } = anUpload({ at });

    await deliver({ ...undecodable, jobId });

    expect(jobs.events).toMatchObject([{ status: 'failed', jobId, acceptedAt: at }]);
  });

  it('ends its job even where the dead letters cannot take it', async () => {
    const append = () => Promise.reject(new AppError('too_large', 'too large'));
    const { deliver, jobs } = createWorkbench({ deadLetters: { append } });

    await deliver(deliveryOf({ ...anUpload({ at }), keyId: 7 }));

    expect(jobs.events).toMatchObject([{ status: 'failed' }]);
  });
});

describe('an abort', () => {
  it('stops the work without an end, and another delivery finishes it', async () => {
    const stop = new AbortController();
    let hangs = true;
    const producer = createPlainProducer((it) => (hangs ? new Promise(() => {}) : Promise.resolve(reflectionOf(it))));
    const { process, jobs, knowledge } = createWorkbench({ producer });
    const upload = anUpload({ at });

    const stopped = process(upload, stop.signal);
    await sleep(5);
    stop.abort(new Error('partition lost'));
    await expect(stopped).rejects.toThrow('partition lost');
    expect(jobs.events.map(({ status }) => status)).toEqual(['processing']);

    hangs = false;
    expect(await process(upload)).toBe('completed');
    expect(knowledge.insightsOf(upload.jobId)).toHaveLength(1);
    expect(jobs.events[1]).toMatchObject({ startedAt: (jobs.events[0] as { startedAt: number }).startedAt });
  });

  it('ends the wait for a dependency', async () => {
    const stop = new AbortController();
    const getJob = () => Promise.reject(new AppError('status_unavailable', 'away', { retryable: true }));
    const { process, jobs } = createWorkbench({ jobs: { getJob } }, { firstWaitMs: 60_000, longestWaitMs: 60_000 });

    const stopped = process(anUpload({ at }), stop.signal);
    await sleep(5);
    stop.abort(new Error('stopping'));

    await expect(stopped).rejects.toThrow();
    expect(jobs.events).toEqual([]);
  });
});

async function requestOf(upload: ReturnType<typeof anUpload>) {
  const other = createWorkbench();
  await other.process(upload);
  const [request] = other.knowledge.calls;
  if (!request) throw new Error('nothing was stored');
  return request;
}
