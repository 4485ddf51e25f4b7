import {
  type AcceptedUpload,
  type DataKeyEvent,
  type EncryptedReport,
  type JobCompleted,
  topics,
} from '@whetstone/contracts';
import { encodeMessage, toUploadLogEvent } from '@whetstone/event-log';
import {
  createDataKey,
  createDataKeyRing,
  type DataKeyRing,
  decryptReport,
  keyOfDataKeyEvent,
} from '@whetstone/identity';
import { AppError, createSystemClock, Registry } from '@whetstone/platform';
import { eventually } from '@whetstone/platform/test-kit';

import { createReflectorPool } from './adapters/reflector-pool.js';
import {
  anUpload,
  createPlainProducer,
  failing,
  type LogSite,
  openLogSite,
  reflectionOf,
  startOfTest,
  testRoots,
} from './test-kit/index.js';
import { longEnoughForAThread, misbehaving } from './test-kit/misbehaving.js';

const clock = createSystemClock();
const uploadOf = (query: string, tenant = 'shop') => anUpload({ at: clock.now(), query, tenant });

describe('the analyser', () => {
  let site: LogSite;

  beforeEach(async () => {
    site = await openLogSite();
  });
  afterEach(() => site.close());

  it('completes the uploads in the log, with the reflector in its thread', async () => {
    const upload = uploadOf('Refund an order');
    await site.upload(upload);

    await site.startAnalyser();
    await site.allEnded([upload]);

    expect(await site.jobs.getJob({ jobId: upload.jobId }, {})).toMatchObject({ status: 'completed' });
    expect(site.knowledge.attemptsOf(upload.jobId)).toHaveLength(1);
  });

  it('learns from the largest uploads, and dead-letters them completely', async () => {
    const long = { turn: 1, inputs: '', decision: 'refund(order=17)', result: 'ok '.repeat(1_000_000) };
    const [learnt, hopeless] = ['Refund an order', 'Delete what is forbidden'].map((query) =>
      anUpload({ at: clock.now(), query, turns: [long] }),
    ) as [AcceptedUpload, AcceptedUpload];
    for (const upload of [learnt, hopeless]) await site.upload(upload);
    const { knowledge } = site;
    const replace: typeof knowledge.replace = (request, call) =>
      request.jobId === hopeless.jobId
        ? Promise.reject(new AppError('shard_full', 'full'))
        : knowledge.replace(request, call);

    await site.startAnalyser({ knowledge: { ...knowledge, replace } });
    await site.allEnded([learnt, hopeless]);

    expect(await site.jobs.getJob({ jobId: learnt.jobId }, {})).toMatchObject({ status: 'completed' });
    expect(knowledge.attemptsOf(learnt.jobId)).toHaveLength(1);
    expect(await site.deadLetters()).toMatchObject([{ upload: hopeless, reason: 'shard_full' }]);
  });

  it('is ready while it runs, and live until it crashes', async () => {
    const analyser = await site.startAnalyser();
    expect(analyser.health()).toEqual({ live: true, ready: true, dependencies: [{ name: 'log', ok: true }] });

    await analyser.stop();
    expect(analyser.health()).toMatchObject({ live: true, ready: false });
  });

  it('finishes every job, even if some uploads break their thread', async () => {
    const wild = ['block', 'eat', 'throw', 'leave'].map((query) => uploadOf(query));
    const tame = Array.from({ length: 8 }, (_, at) => uploadOf(`task ${at}`));
    const all = [...tame.slice(0, 3), ...wild, ...tame.slice(3)];
    for (const upload of all) await site.upload(upload);
    const limits = { threads: 2, memoryMb: 32, timeoutMs: await longEnoughForAThread(), idleMs: 60_000 };

    await site.startAnalyser({ producer: createReflectorPool(limits, misbehaving) }, { concurrency: 16, maxTries: 2 });
    await site.allEnded(all);

    for (const { jobId } of tame) {
      expect(await site.jobs.getJob({ jobId }, {})).toMatchObject({ status: 'completed', insightsStored: 1 });
      expect(site.knowledge.insightsOf(jobId)).toHaveLength(1);
    }
    for (const { jobId } of wild) {
      expect(await site.jobs.getJob({ jobId }, {})).toMatchObject({ status: 'failed' });
      expect(site.knowledge.insightsOf(jobId)).toEqual([]);
    }
    const letters = await site.deadLetters();
    expect(letters.map(({ upload }) => (upload as AcceptedUpload).interaction.query).sort()).toEqual([
      'block',
      'eat',
      'leave',
      'throw',
    ]);
    expect(new Set(letters.map(({ tries }) => tries))).toEqual(new Set([2]));
  });

  it('learns encrypted uploads, and stores nothing of one that is delivered after its key was destroyed', async () => {
    const append = async (event: DataKeyEvent) =>
      site.log.append(topics.collections.name, { key: keyOfDataKeyEvent(event), value: await encodeMessage(event) });
    const rings = new Map<string, DataKeyRing>();
    const [kept, gone] = [uploadOf('kept'), { ...uploadOf('gone'), collectionId: 'c0123456789abcdef_gone' }];
    for (const upload of [kept, gone]) {
      const created = createDataKey(testRoots, upload.collectionId, startOfTest);
      const { collectionId, dataKeyId } = created;
      await append(created);
      const ring = createDataKeyRing(testRoots);
      ring.apply(created);
      rings.set(upload.jobId, ring);
      const event = await toUploadLogEvent(upload, {}, ring.active(collectionId));
      for (let delivery = 0; delivery < 2; delivery++) await site.log.append(topics.uploads.name, event);
      if (upload === gone) await append({ type: 'destroyed', collectionId, dataKeyId, destroyedAt: startOfTest });
    }

    await site.startAnalyser();
    await site.allEnded([kept, gone]);

    expect(await site.jobs.getJob(kept, {})).toMatchObject({ status: 'completed', outcome: 'stored' });
    expect(await site.jobs.getJob(gone, {})).toMatchObject({ status: 'completed', outcome: 'deleted' });
    expect(site.knowledge.calls.map(({ jobId }) => jobId)).toEqual([kept.jobId]);
    expect(await site.deadLetters()).toEqual([]);
    const ends = site.jobs.events.filter((event) => event.status === 'completed');
    expect(ends.find(({ jobId }) => jobId === gone.jobId)).not.toHaveProperty('report');
    const { report, ...end } = ends.find(({ jobId }) => jobId === kept.jobId) as JobCompleted;
    expect(end).toMatchObject({ collectionId: kept.collectionId, learntAt: expect.any(Number) });
    const key = rings.get(kept.jobId)?.active(kept.collectionId)?.bytes as Uint8Array;
    expect(decryptReport(report as EncryptedReport, kept.jobId, key)).toMatchObject({ query: 'kept' });
  });

  it('dead-letters unreadable messages and continues', async () => {
    const poison = { key: 'c1_2:0', value: Buffer.from('{"jobId":') };
    const after = uploadOf('after the poison');
    await site.log.append(topics.uploads.name, poison);
    await site.upload(after);

    await site.startAnalyser();
    await site.allEnded([after]);
    await eventually(async () => (await site.deadLetters()).length === 1);

    const value = poison.value.toString('base64');
    expect(await site.deadLetters()).toMatchObject([{ unreadable: { key: 'c1_2:0', value } }]);
    expect(site.crashes).toEqual([]);
  });

  it('takes turns between collections: one upload does not wait behind three hundred of another', async () => {
    const many = Array.from({ length: 300 }, (_, at) => uploadOf(`busy ${at}`, 'busy'));
    const one = uploadOf('the only one', 'quiet');
    await Promise.all(many.map((upload) => site.upload(upload)));
    await site.upload(one);
    const order: string[] = [];
    const producer = createPlainProducer((interaction) => {
      order.push(interaction.query);
      return new Promise((resolve) => setImmediate(() => resolve(reflectionOf(interaction))));
    });

    await site.startAnalyser({ producer }, { concurrency: 4 });
    await site.allEnded([one, ...many]);

    expect(order.indexOf('the only one')).toBeLessThan(50);
  });

  it('can stop in the middle of a job, which another analyser finishes once', async () => {
    const uploads = Array.from({ length: 20 }, (_, at) => uploadOf(`task ${at}`));
    for (const upload of uploads) await site.upload(upload);
    const hanging = createPlainProducer(() => new Promise(() => {}));

    const first = await site.startAnalyser({ producer: hanging }, { stopGraceMs: 1 });
    await eventually(() => site.jobs.events.length > 0);
    await first.stop();
    expect(site.jobs.events.every(({ status }) => status === 'processing')).toBe(true);
    await site.startAnalyser({ producer: createPlainProducer() });
    await site.allEnded(uploads);

    for (const { jobId } of uploads) expect(site.knowledge.insightsOf(jobId)).toHaveLength(1);
    expect(site.crashes).toEqual([]);
  });

  it('processes a job that is in the log twice only once', async () => {
    const upload = uploadOf('sent again');
    await Promise.all([site.upload(upload), site.upload({ ...upload, acceptedAt: clock.now() })]);
    const registry = new Registry();

    await site.startAnalyser({ producer: createPlainProducer(), registry });
    await eventually(async () => /^whetstone_consumer_lag_messages 0$/m.test(await registry.metrics()));

    const records = site.jobs.events.filter(({ jobId }) => jobId === upload.jobId);
    expect(records.map(({ status }) => status)).toEqual(['processing', 'completed']);
    expect(site.knowledge.calls.filter(({ jobId }) => jobId === upload.jobId)).toHaveLength(1);
  });

  it('changes nothing when its offsets are lost and everything is redelivered', async () => {
    const uploads = Array.from({ length: 30 }, (_, at) => uploadOf(`task ${at}`));
    for (const upload of uploads) await site.upload(upload);
    const producer = createPlainProducer((it) =>
      it.query === 'task 7' ? Promise.reject(new Error('poison')) : Promise.resolve(reflectionOf(it)),
    );
    const first = await site.startAnalyser({ producer });
    await site.allEnded(uploads);
    await first.stop();
    const [events, calls] = [[...site.jobs.events], site.knowledge.calls.length];
    let asked = 0;

    const second = await site.startAnalyser({
      producer,
      log: {
        ...site.log,
        async consume(options) {
          const consumption = await site.log.consume(options);
          for (let partition = 0; partition < topics.uploads.partitions; partition++) consumption.seek(partition, 0);
          return consumption;
        },
      },
      jobs: {
        getJob(request, call) {
          asked++;
          return site.jobs.getJob(request, call);
        },
      },
    });
    await eventually(() => asked === uploads.length);
    await second.stop();

    expect(site.jobs.events).toEqual(events);
    expect(site.knowledge.calls).toHaveLength(calls);
    expect(await site.deadLetters()).toHaveLength(1);
  });

  it('waits for an unavailable store without losing messages', async () => {
    const uploads = Array.from({ length: 12 }, (_, at) => uploadOf(`task ${at}`));
    for (const upload of uploads) await site.upload(upload);
    const replace = failing(40, site.knowledge.replace, 'store_unavailable', true);

    await site.startAnalyser({ knowledge: { ...site.knowledge, replace }, producer: createPlainProducer() });
    await site.allEnded(uploads);

    for (const { jobId } of uploads) {
      expect(await site.jobs.getJob({ jobId }, {})).toMatchObject({ status: 'completed' });
    }
    expect(await site.deadLetters()).toEqual([]);
  });

  it('enhances tasks while it does not consume uploads', async () => {
    const { api } = await site.startAnalyser({ jobs: { getJob: () => new Promise(() => {}) } });
    await site.upload(uploadOf('stuck'));

    const request = { collectionId: 'c1_2', inputText: 'Refund an order', context: {} };
    expect(await api.enhance(request, {})).toMatchObject({ response: 'Refund an order', recommendations: [] });
  });

  it('reports a crashed consumer and is no longer live', async () => {
    let crash: (error: Error) => void = () => {};
    const log: typeof site.log = {
      ...site.log,
      consume(options) {
        crash = options.onCrash;
        return site.log.consume(options);
      },
    };
    const analyser = await site.startAnalyser({ log });

    crash(new Error('the group is gone'));

    expect(site.crashes).toMatchObject([{ message: 'the group is gone' }]);
    expect(analyser.health()).toMatchObject({ live: false, ready: false });
  });

  it('exports the documented metrics', async () => {
    const registry = new Registry();
    const upload = uploadOf('Refund an order');
    await site.upload(upload);
    await site.startAnalyser({ registry, producer: createPlainProducer() });
    await site.allEnded([upload]);

    const text = await registry.metrics();
    expect(text).toContain('whetstone_jobs_total{outcome="stored"} 1');
    expect(text).toMatch(/whetstone_consumer_lag_messages \d/);
    expect(text).not.toContain(upload.jobId);
    expect(text).not.toContain(upload.collectionId);
  });
});
