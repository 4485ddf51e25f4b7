import type { AcceptedUpload } from '@whetstone/contracts';
import { encodeMessage, type LogEvent, toUploadLogEvent } from '@whetstone/event-log';

import type { InsightProducer, UploadInHand } from '../domain/ports.js';
import { anUpload, startOfTest } from '../test-kit/index.js';
import { toDelivery } from './log-delivery.js';
import { createReflectorPool } from './reflector-pool.js';

const { signal } = new AbortController();
const longTurn = { turn: 1, inputs: '', decision: 'cat report.log', result: 'all is well '.repeat(10_000) };
const small = { ...anUpload({ at: startOfTest }), trust: 'high' as const };
const large = {
  ...anUpload({ at: startOfTest, turns: [longTurn], query: 'Read the report' }),
  trust: 'low' as const,
};

async function eventOf(upload: AcceptedUpload, value?: Uint8Array): Promise<LogEvent> {
  const made = await toUploadLogEvent(upload);
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

    const upload = (await toDelivery(await eventOf(small), { outline }).read(signal)) as UploadInHand;

    expect(upload).toMatchObject({ ...small, run: small.interaction });
    expect(await upload.whole()).toEqual(small);
  });

  it('of a large upload stays packed: what it says beside its run is read in a thread, and so is the run', async () => {
    const metadata = { enhancement_id: 'enh_1', notes: 'x'.repeat(100_000) };
    const upload = { ...large, interaction: { ...large.interaction, metadata } };

    const taken = (await toDelivery(await eventOf(upload), pool).read(signal)) as UploadInHand;

    const { query: _, turns: __, ...beside } = large.interaction;
    const { run, whole, ...rest } = taken;
    expect(rest).toEqual({ ...large, interaction: { ...beside, metadata: { enhancement_id: 'enh_1' } } });
    expect(Object.keys(run)).toEqual(['message']);
    expect(await pool.produce(run, signal)).toEqual(await pool.produce(upload.interaction, signal));
    expect(await whole()).toEqual(upload);
  });

  it('takes nothing of its neighbours along to a thread', async () => {
    const value = await encodeMessage(large);
    const fetched = Buffer.concat([Buffer.alloc(1000), value, Buffer.alloc(1000)]);
    const part = fetched.subarray(1000, 1000 + value.length);

    const { run } = (await toDelivery(await eventOf(large, part), pool).read(signal)) as UploadInHand;

    expect('message' in run && run.message.buffer.byteLength).toBe(value.length);
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
    const delivery = toDelivery(await eventOf(large, await encodeMessage(value, { gzip: true })), pool);

    expect(await delivery.read(signal)).toEqual({
      problem: `Not an accepted upload: ${place} is missing or has a wrong shape`,
      job: { jobId: large.jobId, acceptedAt: large.acceptedAt },
    });
  });

  it('of large bytes that are no message says so and quotes nothing', async () => {
    const bytes = Buffer.from(`{"secret": ${'7'.repeat(100_000)}`);

    expect(await toDelivery(await eventOf(large, bytes), pool).read(signal)).toEqual({
      problem: 'A value of the log is not a message',
    });
  });

  it('of a large message that is a list says that it is no upload', async () => {
    const list = await encodeMessage(['x'.repeat(100_000)], { gzip: true });

    expect(await toDelivery(await eventOf(large, list), pool).read(signal)).toMatchObject({
      problem: expect.stringContaining('the message'),
    });
  });
});
