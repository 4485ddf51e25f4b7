import kafkajs from 'kafkajs';

import { AppendQueue, type AppendQueueOptions, type PartitionBatch } from './append-queue.js';

const away = new kafkajs.KafkaJSConnectionError('connect ECONNREFUSED');
const tooLarge = Object.assign(new kafkajs.KafkaJSNonRetriableError('too large'), { type: 'MESSAGE_TOO_LARGE' });

describe('the queue of appends to Kafka', () => {
  it('sends what comes while a request is under way in one request, over all partitions', async () => {
    const { append, requests } = setUp();
    const first = append(0, 'first');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, ...Array.from({ length: 300 }, (_, index) => append(index % 3, `${index}`))]);

    expect(requests).toHaveLength(2);
    expect(requests[1]?.map(({ partition }) => partition).sort()).toEqual([0, 1, 2]);
    expect(textsOf(requests, 1)).toEqual(Array.from({ length: 100 }, (_, index) => `${index * 3 + 1}`));
  });

  it('bounds a request by a mebibyte and lets a larger event go alone', async () => {
    const { append, requests } = setUp();
    const sizes = [400_000, 400_000, 400_000, 3_000_000, 10, 10];
    await Promise.all(sizes.map((bytes, index) => append(0, `${index}`, bytes)));

    expect(requests.map((batches) => textsOf([batches], 0))).toEqual([['0', '1'], ['2'], ['3'], ['4', '5']]);
  });

  it('lets a large event of one partition come to its turn beside busy others', async () => {
    const { append, requests } = setUp();
    const small = Array.from({ length: 40 }, (_, index) => append(index % 2, `${index}`, 100_000));
    await Promise.all([...small, append(2, 'large', 2_000_000)]);

    expect(requests.findIndex((batches) => textsOf([batches], 2).length > 0)).toBeLessThan(3);
  });

  it('keeps the order of a partition over retries, and holds up no other', async () => {
    let failures = 0;
    const acknowledged: string[] = [];
    const { append } = setUp({
      inspect(batches) {
        const isSick = batches.some(({ partition }) => partition === 0) && failures++ < 3;
        if (isSick) throw away;
        acknowledged.push(...textsOf([batches], 0), ...textsOf([batches], 1));
      },
    });
    const sick = [append(0, 'a'), append(0, 'b')];
    await new Promise((resolve) => setTimeout(resolve, 5));
    sick.push(append(0, 'c'));
    await append(1, 'other');
    await Promise.all(sick);

    expect(failures).toBe(5);
    expect(acknowledged).toEqual(['other', 'a', 'b', 'c']);
  });

  it('does not let the others wait for a request that takes long', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { append } = setUp({ inspect: ([batch]) => (batch?.partition === 0 ? held : undefined) });
    const slow = append(0, 'slow');
    await new Promise((resolve) => setImmediate(resolve));

    await append(1, 'quick');

    release();
    await slow;
  });

  it('lets an event that is too large fail alone', async () => {
    const { append } = setUp({
      inspect: (batches) => {
        if (textsOf([batches], 0).includes('bad')) throw tooLarge;
      },
    });
    const results = await Promise.allSettled([append(0, 'a'), append(0, 'bad'), append(0, 'b'), append(1, 'c')]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'too_large', retryable: false } });
  });

  it('rejects in time when the brokers are away, and works again when they are back', async () => {
    let isAway = true;
    const { append } = setUp({
      timeoutMs: 1_000,
      inspect: () => {
        if (isAway) throw away;
      },
    });

    await expect(append(0, 'a')).rejects.toMatchObject({ code: 'log_unavailable', retryable: true });
    isAway = false;
    await append(0, 'b');
  });

  it('rejects in time when an answer does not come', async () => {
    const { queue, append } = setUp({ timeoutMs: 50, inspect: () => new Promise(() => {}) });

    await expect(append(0, 'a')).rejects.toMatchObject({ code: 'log_unavailable' });
    await queue.drain();
  });

  it('refuses to hold more than memory should', async () => {
    const { queue, append } = setUp({ timeoutMs: 200, inspect: () => new Promise(() => {}) });
    const held = Array.from({ length: 10 }, (_, index) => append(0, `${index}`, 6_500_000));
    for (const one of held) one.catch(() => {});

    await expect(append(0, 'one more', 6_500_000)).rejects.toMatchObject({ code: 'log_unavailable', retryable: true });
    await queue.drain();
  });
});

function setUp({
  inspect = () => {},
  ...options
}: Partial<AppendQueueOptions> & { inspect?(batches: PartitionBatch[]): void | Promise<void> } = {}) {
  const requests: PartitionBatch[][] = [];
  const queue = new AppendQueue({
    async send(batches) {
      requests.push(batches);
      await new Promise((resolve) => setTimeout(resolve, 2));
      await inspect(batches);
    },
    timeoutMs: 10_000,
    pause: (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs / 10)),
    ...options,
  });
  const append = (partition: number, text: string, bytes = 3) => {
    return queue.append('t', partition, { key: 'k', value: text }, bytes);
  };
  return { queue, append, requests };
}

function textsOf(requests: PartitionBatch[][], partition: number): string[] {
  const batches = requests.flat().filter((batch) => batch.partition === partition);
  return batches.flatMap(({ messages }) => messages.map(({ value }) => String(value)));
}
