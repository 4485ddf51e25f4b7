import { createHash } from 'node:crypto';
import { eventually } from '@whetstone/platform/test-kit';

import type { LogEvent } from '../ports.js';
import { anEvent, Collector, type TestLogs, testTimeoutMs, textOf } from './test-kit.js';

export function describeAppending(logs: TestLogs): void {
  describe('appending', () => {
    it(
      'keeps the events of each key in the order of their appends, also when many are under way',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const rounds = Array.from({ length: 20 }, (_, round) => round);
        const keys = Array.from({ length: 10 }, (_, key) => `key-${key}`);

        const appends = rounds.flatMap((round) => keys.map((key) => log.append(topic, anEvent(key, `${round}`))));
        await Promise.all(appends);

        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 200, 'all events');
        for (const key of keys) {
          expect(reader.events.filter((event) => event.key === key).map(textOf)).toEqual(rounds.map(String));
        }
      },
      testTimeoutMs,
    );

    it(
      'keeps the events of one partition key together and in order, whatever their keys',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        for (let index = 0; index < 20; index++) {
          await log.append(topic, { ...anEvent(`key-${index}`, `${index}`), partitionKey: 'together' });
        }

        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 20, 'all events');

        expect(new Set(reader.events.map(({ partition }) => partition)).size).toBe(1);
        expect(reader.texts()).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
      },
      testTimeoutMs,
    );

    it(
      'brings back headers, binary values and empty ones as they were',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();
        const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
        const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', name: 'grüße 🙂' };
        await log.append(topic, { key: 'ключ', value: bytes.subarray(1, 255), headers });
        await log.append(topic, { key: 'empty', value: new Uint8Array(0) });

        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 2, 'both events');
        const [first, second] = reader.events as [LogEvent, LogEvent];

        expect(first.key).toBe('ключ');
        expect(first.headers).toEqual(headers);
        expect(Array.from(first.value)).toEqual(Array.from(bytes.subarray(1, 255)));
        expect(first.topic).toBe(topic);
        expect(second.value.byteLength).toBe(0);
        expect(second.offset).toBeGreaterThan(first.offset);
      },
      testTimeoutMs,
    );

    it(
      'takes events of a mebibyte, and leaves the caller its buffer',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();
        const values = [1, 2, 3].map((seed) => Buffer.alloc(1024 * 1024, `${seed} some text `));
        await Promise.all(values.map((value, index) => log.append(topic, { key: `${index}`, value })));

        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 3, 'all events');

        expect(reader.events.map(({ value }) => digestOf(value))).toEqual(values.map(digestOf));
      },
      testTimeoutMs,
    );

    it(
      'refuses an event that is too large, alone',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();

        const before = log.append(topic, anEvent('a', 'before'));
        const tooLarge = log.append(topic, { key: 'a', value: Buffer.alloc(9 * 1024 * 1024) });
        const after = log.append(topic, anEvent('a', 'after'));

        await expect(tooLarge).rejects.toMatchObject({ code: 'too_large', retryable: false });
        await Promise.all([before, after]);
        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 2, 'its neighbours');
        expect(reader.texts()).toEqual(['before', 'after']);
      },
      testTimeoutMs,
    );

    it(
      'says that it is unavailable once it is closed',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        expect(log.healthy()).toBe(true);

        await log.close();

        await expect(log.append(topic, anEvent('a', 'late'))).rejects.toMatchObject({
          code: 'log_unavailable',
          retryable: true,
        });
        expect(log.healthy()).toBe(false);
      },
      testTimeoutMs,
    );

    it(
      'keeps everything over a restart',
      async () => {
        const topic = await logs.createTopic();
        const first = await logs.open();
        await Promise.all(
          Array.from({ length: 50 }, (_, index) => first.append(topic, anEvent(`${index}`, `${index}`))),
        );
        await first.close();

        const second = await logs.open();
        const reader = await Collector.join(second, topic, 'readers');
        await eventually(() => reader.events.length >= 50, 'all events');

        expect(new Set(reader.texts()).size).toBe(50);
      },
      testTimeoutMs,
    );
  });
}

function digestOf(value: Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
