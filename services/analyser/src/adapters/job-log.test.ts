import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type AcceptedUpload, topics } from '@whetstone/contracts';
import {
  decodeMessage,
  encodeMessage,
  type LocalEventLog,
  type LogEvent,
  openLocalEventLog,
  readJobEvent,
  toUploadLogEvent,
  type UploadKey,
} from '@whetstone/event-log';
import { AppError } from '@whetstone/platform';
import type { InsightProducer, PackedRun, Run, UploadInHand } from '../domain/ports.js';
import { anUpload, createPlainProducer, startOfTest } from '../test-kit/index.js';
import type { FindDataKey } from './data-keys.js';
import { createJobLog, toDelivery } from './job-log.js';
import { createReflectorPool } from './reflector-pool.js';

const upload = anUpload({ at: startOfTest });
const { jobId, acceptedAt } = upload;
const reason = { reason: 'analysis_failed', detail: 'poison', tries: 3, failedAt: startOfTest + 1 };

describe('the adapters over the log', () => {
  let folder: string;
  let log: LocalEventLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analyser-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics) });
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('write the records of a job in order, each status under its own key', async () => {
    const { appendEvent } = createJobLog(log);
    const begun = { status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 1 } as const;
    const failed = { status: 'failed', jobId, acceptedAt, failedAt: acceptedAt + 2, errorMessage: 'sealed' } as const;

    await appendEvent(begun);
    await appendEvent(failed);

    const events = await eventsOf(topics.jobs.name);
    expect(events.map(({ key }) => key)).toEqual([`${jobId}:processing`, `${jobId}:failed`]);
    expect(await Promise.all(events.map(readJobEvent))).toEqual([begun, failed]);
  });

  it('keep an upload that was given up under the key that it had', async () => {
    await createJobLog(log).appendDeadLetter({ upload, ...reason });

    const [event] = await eventsOf(topics.deadLetters.name);
    expect(event?.key).toBe((await toUploadLogEvent(upload)).key);
    expect(await decodeMessage(event?.value ?? new Uint8Array())).toEqual({ upload, ...reason });
  });

  it('keep the bytes of a message that cannot be read', async () => {
    const value = Buffer.from([0x1f, 0x8b, 0xff, 0x00, 0x80]);
    await log.append(topics.uploads.name, { key: 'c1_2:3', value, headers: { 'job-id': 'job_1' } });
    const [poison] = await eventsOf(topics.uploads.name);
    const delivery = toDelivery(poison as LogEvent, createPlainProducer(), noKey);

    expect(await delivery.read(new AbortController().signal)).toEqual({
      problem: 'Log value is not a readable message',
    });
    await createJobLog(log).appendDeadLetter({ unreadable: delivery.raw(), ...reason });

    const [letter] = await eventsOf(topics.deadLetters.name);
    expect(letter?.key).toBe('c1_2:3');
    expect(await decodeMessage(letter?.value ?? new Uint8Array())).toEqual({
      unreadable: { key: 'c1_2:3', value: value.toString('base64'), jobId: 'job_1' },
      ...reason,
    });
  });

  async function eventsOf(topic: string): Promise<LogEvent[]> {
    const read: LogEvent[] = [];
    const fail = (error: Error) => {
      throw error;
    };
    const onEvents = (events: LogEvent[]) => void read.push(...events);
    const following = await log.follow({ topic, onEvents, onReset: () => {}, onCrash: fail });
    await following.caughtUp();
    await following.stop();
    return read;
  }
});

const { signal } = new AbortController();
const noKey: FindDataKey = () => Promise.reject(new Error('not encrypted'));
const longTurn = { turn: 1, inputs: '', decision: 'cat report.log', result: 'all is well '.repeat(10_000) };
const small = { ...anUpload({ at: startOfTest }), trust: 'high' as const };
const large = {
  ...anUpload({ at: startOfTest, turns: [longTurn], query: 'Read the report' }),
  trust: 'low' as const,
};

async function eventOf(upload: AcceptedUpload, value?: Uint8Array, dataKey?: UploadKey): Promise<LogEvent> {
  const made = await toUploadLogEvent(upload, {}, dataKey);
  const place = { topic: 't', partition: 0, offset: 0, timestampMs: startOfTest / 1000 };
  return { headers: {}, ...made, ...place, value: value ?? made.value };
}

describe('a delivery', () => {
  let pool: InsightProducer;
  beforeAll(() => {
    pool = createReflectorPool({ threads: 1, memoryMb: 64, timeoutMs: 60_000, idleMs: 60_000 });
  });
  afterAll(() => pool.close());

  it('of a small upload is read at once', async () => {
    const outline = () => Promise.reject(new Error('not worth a thread'));

    const upload = (await toDelivery(await eventOf(small), { outline }, noKey).read(signal)) as UploadInHand;

    expect(upload).toMatchObject({ ...small, run: small.interaction });
    expect(await upload.whole()).toEqual(small);
  });

  it('of a large upload stays packed: what it says beside its run is read in a thread, and so is the run', async () => {
    const metadata = { enhancement_id: 'enh_1', notes: 'x'.repeat(100_000) };
    const upload = { ...large, interaction: { ...large.interaction, metadata } };

    const taken = (await toDelivery(await eventOf(upload), pool, noKey).read(signal)) as UploadInHand;

    const { query: _, turns: __, ...beside } = large.interaction;
    const { run, whole, ...rest } = taken;
    const query = 'Read the report';
    expect(rest).toEqual({ ...large, interaction: { ...beside, query, metadata: { enhancement_id: 'enh_1' } } });
    expect(Object.keys(run as Run)).toEqual(['message']);
    expect(await pool.produce(run as Run, signal)).toEqual(await pool.produce(upload.interaction, signal));
    expect(await whole()).toEqual(upload);
  });

  it('takes nothing of its neighbours along to a thread', async () => {
    const value = await encodeMessage(large);
    const fetched = Buffer.concat([Buffer.alloc(1000), value, Buffer.alloc(1000)]);
    const part = fetched.subarray(1000, 1000 + value.length);

    const { run } = (await toDelivery(await eventOf(large, part), pool, noKey).read(signal)) as UploadInHand;

    expect((run as PackedRun).message.buffer.byteLength).toBe(value.length);
  });

  it.each([
    [
      'a turn',
      { ...large, interaction: { ...large.interaction, turns: [longTurn, { turn: 2 }] } },
      'interaction.turns.1',
    ],
    ['a key', { ...large, keyId: 7 }, 'keyId'],
    ['no interaction', { ...large, interaction: [longTurn.result] }, 'interaction'],
  ])('of a large message that is no upload says where, and which job it is: %s', async (_, value, place) => {
    const delivery = toDelivery(await eventOf(large, await encodeMessage(value, { gzip: true })), pool, noKey);

    expect(await delivery.read(signal)).toEqual({
      problem: `Not an accepted upload: ${place} is missing or has a wrong shape`,
      job: { jobId: large.jobId, acceptedAt: large.acceptedAt },
    });
  });

  it('of large bytes that are no message says so and quotes nothing', async () => {
    const bytes = Buffer.from(`{"secret": ${'7'.repeat(100_000)}`);

    expect(await toDelivery(await eventOf(large, bytes), pool, noKey).read(signal)).toEqual({
      problem: 'Log value is not a readable message',
    });
  });

  it('of a large message that is a list says that it is no upload', async () => {
    const list = await encodeMessage(['x'.repeat(100_000)], { gzip: true });

    expect(await toDelivery(await eventOf(large, list), pool, noKey).read(signal)).toMatchObject({
      problem: expect.stringContaining('the message'),
    });
  });
});

describe('a delivery of an encrypted upload', () => {
  const key = { id: 'key1', bytes: new Uint8Array(randomBytes(32)) };
  const find: FindDataKey = async (collectionId, dataKeyId) => {
    expect([collectionId, dataKeyId]).toEqual([small.collectionId, 'key1']);
    return key.bytes;
  };
  let pool: InsightProducer;
  beforeAll(() => {
    pool = createReflectorPool({ threads: 1, memoryMb: 64, timeoutMs: 60_000, idleMs: 60_000 });
  });
  afterAll(() => pool.close());

  it('is read at once if it is small', async () => {
    const outline = () => Promise.reject(new Error('not worth a thread'));

    const taken = await toDelivery(await eventOf(small, undefined, key), { outline }, find).read(signal);

    expect(taken).toMatchObject({ ...small, run: small.interaction });
  });

  it('is opened in a thread if it is large', async () => {
    const taken = await toDelivery(await eventOf(large, undefined, key), pool, find).read(signal);

    const { query: _, turns: __, ...beside } = large.interaction;
    expect(taken).toMatchObject({ ...large, interaction: beside, run: { key: key.bytes } });
    expect(await pool.produce((taken as UploadInHand).run as Run, signal)).toEqual(
      await pool.produce(large.interaction, signal),
    );
  });

  it.each([
    ['small', small],
    ['large', large],
  ])('is given up and replayed as it is: %s', async (_, upload) => {
    const event = await eventOf(upload, undefined, key);
    const delivery = toDelivery(event, pool, find);
    const held = (await delivery.read(signal)) as UploadInHand;
    const unread = (await toDelivery(event, pool, noKey).readToGiveUp()) as UploadInHand;

    const whole = await held.whole();
    expect(await unread.whole()).toEqual(whole);
    expect(unread.run).toBeUndefined();
    expect(Buffer.from((await toUploadLogEvent(whole)).value)).toEqual(Buffer.from(event.value));
  });

  it('has no run once its key is destroyed', async () => {
    const { interaction: _, ...envelope } = large;

    const taken = await toDelivery(await eventOf(large, undefined, key), pool, async () => 'destroyed').read(signal);

    expect(taken).toMatchObject({ ...envelope, interaction: {} });
    expect(taken).not.toHaveProperty('run');
  });

  it('waits while its key is not known', async () => {
    const away = new AppError('log_unavailable', 'unknown', { retryable: true });

    await expect(
      toDelivery(await eventOf(small, undefined, key), pool, () => Promise.reject(away)).read(signal),
    ).rejects.toBe(away);
  });

  it.each([
    ['small', small],
    ['large', large],
  ])('is no upload with another key: %s', async (_, upload) => {
    const wrong: FindDataKey = async () => new Uint8Array(32);

    expect(await toDelivery(await eventOf(upload, undefined, key), pool, wrong).read(signal)).toEqual({
      problem: 'The text was encrypted with another key, or is damaged',
    });
  });

  it('says what is wrong with its envelope before it looks for a key', async () => {
    const event = await eventOf({ ...small, keyId: 7 as unknown as string }, undefined, key);

    expect(await toDelivery(event, pool, noKey).read(signal)).toMatchObject({
      problem: expect.stringContaining('keyId'),
      job: { jobId: small.jobId },
    });
  });
});
