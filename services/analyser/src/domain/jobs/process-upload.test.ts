import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryKnowledge,
  createPlainProducer,
  createWorkbench,
  deliveryOf,
  failing,
  hour,
  jobStateOf,
  minute,
  reflectionOf,
  startOfTest,
} from '../../test-kit/index.js';

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
    const upload = { ...anUpload({ at }), trust: 'low' as const };

    await process(upload);

    const { jobId, keyId, bodyDigest, collectionId } = upload;
    expect(knowledge.calls).toMatchObject([
      {
        collectionId,
        jobId,
        intent: 'Refund an order',
        origin: {
          jobId,
          keyId,
          bodyDigest,
          acceptedAt: at,
          agentType: 'tool-calling',
          interactionTime: at,
          trust: 'low',
        },
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

  it('says why there was nothing to learn, and says it of no other job', async () => {
    const plain = createPlainProducer();
    const produce = async (...args: Parameters<typeof plain.produce>) => ({
      ...(await plain.produce(...args)),
      nothingBecause: 'no turn does anything',
    });
    const { process, jobs } = createWorkbench({ producer: { ...plain, produce } });

    await process(anUpload({ at, turns: [] }));
    await process(anUpload({ at }));

    expect(jobs.events[1]).toMatchObject({ outcome: 'nothing_to_learn', reason: 'no turn does anything' });
    expect(jobs.events[3]).toMatchObject({ outcome: 'stored' });
    expect(jobs.events[3]).not.toHaveProperty('reason');
  });

  it('completes as deleted when a deletion covers it', async () => {
    const replace = () => Promise.resolve({ outcome: 'deleted' as const, insightsStored: 0 });
    const { process, jobs } = createWorkbench({ knowledge: { ...createInMemoryKnowledge(), replace } });

    await process(anUpload({ at }));

    expect(jobs.events[1]).toMatchObject({ outcome: 'deleted', insightsStored: 0 });
  });

  it('completes as deleted when its data key is destroyed, and nothing is stored', async () => {
    const { deliver, jobs, knowledge, letters } = createWorkbench();
    const { interaction: _, ...envelope } = anUpload({ at });
    const whole = () => Promise.reject(new Error('needs no letter'));
    const read = async () => ({ ...envelope, interaction: {}, whole });

    expect(await deliver({ ...deliveryOf({}), read })).toBe('completed');
    expect(await deliver({ ...deliveryOf({}), read })).toBe('skipped');

    expect(jobs.events).toMatchObject([{ status: 'processing' }, { outcome: 'deleted', insightsStored: 0 }]);
    expect([knowledge.calls, letters]).toEqual([[], []]);
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

describe('a message that cannot be read', () => {
  const undecodable = {
    ...deliveryOf('x'),
    read: () => Promise.resolve({ problem: 'not JSON' }),
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

  it('is tried as often as an analysis where reading it is more than a thread may take', async () => {
    const upload = anUpload({ at });
    const whole = deliveryOf(upload);
    const delivery = { ...whole, jobId: upload.jobId, read: failing(2, whole.read, 'analysis_timeout') };
    const { deliver, heard } = createWorkbench();

    expect(await deliver(delivery)).toBe('completed');
    expect(heard).toEqual(['retried', 'retried', 'ended stored']);
  });

  it('is given up after the last of these tries as the upload that it is, once, and can be replayed', async () => {
    const upload = anUpload({ at });
    const whole = deliveryOf(upload);
    const delivery = { ...whole, read: failing(99, whole.read, 'analysis_failed') };
    const { deliver, process, jobs, letters, clock } = createWorkbench();

    expect([await deliver(delivery), await deliver(delivery)]).toEqual(['failed', 'skipped']);
    expect(jobs.events).toMatchObject([{ status: 'failed', jobId: upload.jobId }]);
    expect(letters).toMatchObject([{ upload, reason: 'analysis_failed', detail: 'does not work now', tries: 3 }]);

    expect(await process({ ...upload, replayedAt: clock.now() })).toBe('completed');
  });

  it('waits where no thread can be started, which costs no try', async () => {
    const delivery = deliveryOf(anUpload({ at }));
    const producer = createPlainProducer(failing(20, async (it) => reflectionOf(it), 'analyser_unavailable', true));
    const { deliver, letters, heard } = createWorkbench({ producer });

    const read = failing(20, delivery.read, 'analyser_unavailable', true);
    expect(await deliver({ ...delivery, read })).toBe('completed');
    expect(letters).toEqual([]);
    expect(heard).not.toContain('retried');
  });

  it('is no upload also after these tries where it is none', async () => {
    const none = deliveryOf({ jobId: 'x' });
    const { deliver, letters } = createWorkbench();

    expect(await deliver({ ...none, read: failing(99, none.read, 'analysis_failed') })).toBe('failed');
    expect(letters).toMatchObject([{ unreadable: none.raw(), reason: 'unreadable_message' }]);
  });

  it('has no end where its partition is taken away while it is read', async () => {
    const stop = new AbortController();
    const read = (signal: AbortSignal) => {
      stop.abort(new Error('partition lost'));
      return Promise.reject(signal.reason);
    };
    const { deliver, jobs, letters } = createWorkbench();

    await expect(deliver({ ...deliveryOf(anUpload({ at })), read }, stop.signal)).rejects.toThrow('partition lost');
    expect([jobs.events, letters]).toEqual([[], []]);
  });

  it('ends its job even where the dead letters cannot take it', async () => {
    const appendDeadLetter = () => Promise.reject(new AppError('too_large', 'too large'));
    const { deliver, jobs } = createWorkbench({ appendDeadLetter });

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

  it('does not wait for a mistake in the program to go away', async () => {
    let asked = 0;
    const getJob = async () => {
      asked++;
      throw new TypeError('x is not a function');
    };
    const { process } = createWorkbench({ jobs: { getJob } });

    await expect(process(anUpload({ at }))).rejects.toThrow('x is not a function');
    expect(asked).toBe(1);
  });
});
