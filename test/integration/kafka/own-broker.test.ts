import type { SecuredKafka } from '@whetstone/deploy';
import type { EventLog, LogEvent } from '@whetstone/event-log';
import { applyTopics, type KafkaConfig } from '@whetstone/event-log/kafka';
import { type KafkaConfig as ClientConfig, Kafka, logLevel, type SASLOptions } from 'kafkajs';

import { ownBroker } from './own-broker.js';
import { createTopic, openLog, readAll, silent } from './topics.js';
import { until } from './until.js';
import { total, Writer } from './writer.js';

/** One for the whole file, as it starts slowly. */
const broker = ownBroker({ secured: true });
const secured = () => broker().secured as SecuredKafka;

/** The broker that the suites and `npm run cluster` start, seen through a client. */
describe('our own broker', () => {
  async function topicsSeen(config: ClientConfig): Promise<string[]> {
    const retry = { retries: 5, initialRetryTime: 300, maxRetryTime: 2_000 };
    const admin = new Kafka({ retry, connectionTimeout: 10_000, logLevel: logLevel.NOTHING, ...config }).admin();
    await admin.connect();
    try {
      return await admin.listTopics();
    } finally {
      await admin.disconnect();
    }
  }

  it('creates no topics by itself, and keeps its topics over kill −9', async () => {
    const admin = new Kafka({ brokers: broker().brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'kept', numPartitions: 3 }] });
    await admin.disconnect();
    await broker().kill();
    expect(broker().running).toBe(false);
    await broker().restart();
    expect(await topicsSeen({ brokers: broker().brokers })).toEqual(['kept']);
  });

  it('accepts TLS from a client that trusts its authority, and from no other', async () => {
    const { tls, certificates } = secured();
    await topicsSeen({ brokers: tls, ssl: { ca: certificates.ca } });
    await expect(topicsSeen({ brokers: tls, ssl: true, retry: { retries: 0 } })).rejects.toThrow();
  });

  it('requires a client certificate where configured', async () => {
    const { mutualTls, certificates } = secured();
    await topicsSeen({ brokers: mutualTls, ssl: { ca: certificates.ca, ...certificates.client } });
    const without = { brokers: mutualTls, ssl: { ca: certificates.ca }, retry: { retries: 0 } };
    await expect(topicsSeen(without)).rejects.toThrow();
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('authenticates its user by %s', async (mechanism) => {
    const { username, password, certificates } = secured();
    const sasl = (secret: string) => ({ mechanism, username, password: secret }) as SASLOptions;
    await topicsSeen({ brokers: secured().sasl, sasl: sasl(password) });
    await topicsSeen({ brokers: secured().saslTls, ssl: { ca: certificates.ca }, sasl: sasl(password) });
    await expect(topicsSeen({ brokers: secured().sasl, sasl: sasl('wrong'), retry: { retries: 0 } })).rejects.toThrow();
  });
});

describe('Kafka that goes away', () => {
  let logs: EventLog[] = [];

  afterEach(async () => {
    await Promise.all(logs.map((log) => log.close()));
    logs = [];
  });

  async function open(appendTimeoutMs?: number): Promise<EventLog> {
    const log = await openLog({ brokers: broker().brokers }, appendTimeoutMs === undefined ? {} : { appendTimeoutMs });
    logs.push(log);
    return log;
  }

  it('loses nothing acknowledged, keeps the order of each key, and reading resumes when it is back', async () => {
    const topic = await createTopic(broker().brokers, { partitions: 4 });
    const log = await open();
    const consumed: LogEvent[] = [];
    const viewed: LogEvent[] = [];
    const crashes: Error[] = [];
    const onCrash = (error: Error) => void crashes.push(error);
    await log.consume({ topic, group: topic, onEvents: (events) => consumed.push(...events), onRevoked() {}, onCrash });
    const following = await log.follow({
      topic,
      onEvents: (events) => void viewed.push(...events),
      onReset: () => void crashes.push(new Error('reset')),
      onCrash,
    });
    const writers = Array.from({ length: 16 }, (_, key) => new Writer(log, topic, `key-${key}`));
    const writing = writers.map((writer) => writer.run());
    await until('appends before the fault', () => total(writers) > 300);

    await broker().kill();
    await until('the log to notice', () => !log.healthy());
    await broker().restart();
    const before = total(writers);
    await until('appends after the fault', () => total(writers) > before + 300);
    for (const writer of writers) writer.stop();
    await Promise.all(writing);

    const stored = textsOf(await readAll(log, topic));
    const acknowledged = writers.flatMap(({ acknowledged }) => acknowledged);
    expect(acknowledged.filter((text) => !stored.includes(text))).toEqual([]);
    for (const { key, acknowledged: own } of writers) {
      const first = [...new Set(stored)].filter((text) => text.startsWith(`${key}:`) && own.includes(text));
      expect(first).toEqual(own);
    }
    await until('the consumer to have everything', () => covers(consumed, acknowledged));
    await following.catchUp('key-1');
    await until('the view to have everything', () => covers(viewed, acknowledged));
    expect(crashes).toEqual([]);
    expect(log.healthy()).toBe(true);
  });

  it('is waited for: appends fail in time, and reading starts when it comes up', async () => {
    const topic = await createTopic(broker().brokers);
    const early = await open();
    await early.append(topic, { key: 'a', value: Buffer.from('before') });
    await broker().kill();

    const log = await open(1500);
    expect(log.healthy()).toBe(false);
    const refusals = Array.from({ length: 20 }, () => log.append(topic, { key: 'a', value: Buffer.from('lost') }));
    const known = early.append(topic, { key: 'a', value: Buffer.from('lost') });
    const seen: string[] = [];
    const following = await log.follow({
      topic,
      onEvents: (events) => void seen.push(...textsOf(events)),
      onReset() {},
      onCrash: (error) => void seen.push(error.message),
    });
    const read: string[] = [];
    await log.consume({
      topic,
      group: topic,
      onEvents: (events) => void read.push(...textsOf(events)),
      onRevoked() {},
      onCrash: (error) => void read.push(error.message),
    });
    for (const refusal of await Promise.allSettled([...refusals, known])) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: { code: 'log_unavailable', retryable: true } });
    }
    await expect(following.catchUp('a')).rejects.toMatchObject({ code: 'log_unavailable' });

    await broker().restart();
    await following.caughtUp();
    expect(seen).toEqual(['before']);
    await log.append(topic, { key: 'a', value: Buffer.from('after') });
    await until('what comes now', () => seen.includes('after') && read.includes('after'));
    expect(log.healthy()).toBe(true);
  });

  it('may hang: appends fail in time, and work again once it continues', async () => {
    const topic = await createTopic(broker().brokers);
    const log = await open(1500);
    await log.append(topic, { key: 'a', value: Buffer.from('before') });

    broker().pause();
    const stuck = Array.from({ length: 5 }, () => log.append(topic, { key: 'a', value: Buffer.from('perhaps') }));
    const results = await Promise.allSettled(stuck);
    broker().resume();

    for (const result of results) expect(result).toMatchObject({ reason: { code: 'log_unavailable' } });
    await until('an append that works', () =>
      log.append(topic, { key: 'a', value: Buffer.from('after') }).then(
        () => true,
        () => false,
      ),
    );
    const stored = textsOf(await readAll(log, topic));
    expect(stored.indexOf('after')).toBeGreaterThan(stored.lastIndexOf('perhaps'));
  });
});

describe('authentication with Kafka', () => {
  const login = (mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512', password = secured().password) => {
    return { mechanism, username: secured().username, password };
  };
  let topic = '';
  beforeAll(async () => {
    topic = await createTopic(broker().brokers);
  });

  const ways: [string, () => KafkaConfig][] = [
    ['TLS', () => ({ brokers: secured().tls, tls: { ca: secured().certificates.ca } })],
    [
      'TLS with a client certificate',
      () => ({
        brokers: secured().mutualTls,
        tls: { ca: secured().certificates.ca, ...secured().certificates.client },
      }),
    ],
    ['PLAIN', () => ({ brokers: secured().sasl, sasl: login('plain') })],
    ['SCRAM-SHA-256', () => ({ brokers: secured().sasl, sasl: login('scram-sha-256') })],
    [
      'SCRAM-SHA-512 over TLS',
      () => ({
        brokers: secured().saslTls,
        tls: { ca: secured().certificates.ca },
        sasl: login('scram-sha-512'),
      }),
    ],
  ];

  it.each(ways)('works by %s, for writing and reading', async (name, config) => {
    const log = await openLog(config());
    try {
      await log.append(topic, { key: 'a', value: Buffer.from(name) });
      const events = await readAll(log, topic);
      expect(events.map(({ value }) => Buffer.from(value).toString())).toContain(name);
      const reports = await applyTopics({
        config: config(),
        topics: [{ name: topic, partitions: 1, compacted: false }],
        logger: silent,
        acceptWeaker: true,
      });
      expect(reports).toMatchObject([{ topic, created: false }]);
    } finally {
      await log.close();
    }
  });

  it('fails at once with the wrong password', async () => {
    const config = { brokers: secured().sasl, sasl: login('scram-sha-256', 'wrong') };

    await expect(openLog(config)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/refused access.*authentication/i),
    });
    await expect(applyTopics({ config, topics: [], logger: silent })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('fails with brokers whose certificate is not trusted', async () => {
    const log = await openLog({ brokers: secured().tls, tls: {} }, { appendTimeoutMs: 1000 });
    try {
      expect(log.healthy()).toBe(false);
      await expect(log.append(topic, { key: 'a', value: Buffer.from('never') })).rejects.toMatchObject({
        code: 'log_unavailable',
        message: expect.stringContaining('certificate'),
      });
    } finally {
      await log.close();
    }
  });
});

function textsOf(events: LogEvent[]): string[] {
  return events.map(({ value }) => Buffer.from(value).toString());
}

function covers(events: LogEvent[], texts: string[]): boolean {
  const seen = new Set(textsOf(events));
  return texts.every((text) => seen.has(text));
}
