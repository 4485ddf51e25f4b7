import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Kafka as Broker, type SecuredKafka, startKafka } from '@whetstone/deploy';
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';

/** The broker that the suites and `npm run cluster` start, seen through a client. */
describe('a broker of one’s own', () => {
  let folder: string;
  let broker: Broker;
  let secured: SecuredKafka;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-broker-'));
    broker = await startKafka({ folder, secured: true });
    secured = broker.secured!;
  });

  afterAll(async () => {
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function topicsSeen(config: KafkaConfig): Promise<string[]> {
    const retry = { retries: 5, initialRetryTime: 300, maxRetryTime: 2_000 };
    const admin = new Kafka({ retry, connectionTimeout: 10_000, logLevel: logLevel.NOTHING, ...config }).admin();
    await admin.connect();
    try {
      return await admin.listTopics();
    } finally {
      await admin.disconnect();
    }
  }

  it('makes no topic that nobody has asked for, and keeps those it has over kill −9', async () => {
    const admin = new Kafka({ brokers: broker.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'kept', numPartitions: 3 }] });
    await admin.disconnect();
    await broker.kill();
    expect(broker.running).toBe(false);
    await broker.restart();
    expect(await topicsSeen({ brokers: broker.brokers })).toEqual(['kept']);
  });

  it('takes TLS from a client that trusts its authority, and from no other', async () => {
    const { tls, certificates } = secured;
    await topicsSeen({ brokers: tls, ssl: { ca: certificates.ca } });
    await expect(topicsSeen({ brokers: tls, ssl: true, retry: { retries: 0 } })).rejects.toThrow();
  });

  it('asks for a certificate of the client’s own where that is wanted', async () => {
    const { mutualTls, certificates } = secured;
    await topicsSeen({ brokers: mutualTls, ssl: { ca: certificates.ca, ...certificates.client } });
    const without = { brokers: mutualTls, ssl: { ca: certificates.ca }, retry: { retries: 0 } };
    await expect(topicsSeen(without)).rejects.toThrow();
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('knows its user by %s', async (mechanism) => {
    const { username, password, certificates } = secured;
    const sasl = (secret: string) => ({ mechanism, username, password: secret }) as SASLOptions;
    await topicsSeen({ brokers: secured.sasl, sasl: sasl(password) });
    await topicsSeen({ brokers: secured.saslTls, ssl: { ca: certificates.ca }, sasl: sasl(password) });
    await expect(topicsSeen({ brokers: secured.sasl, sasl: sasl('wrong'), retry: { retries: 0 } })).rejects.toThrow();
  });
});
