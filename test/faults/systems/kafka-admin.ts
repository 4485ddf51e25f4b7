import kafkajs from 'kafkajs';

/** What a stray process, or an operator with Kafka's tools, does to a topic. */
export interface KafkaAdmin {
  /** Appends each value to every partition; returns the number of events. */
  appendEverywhere(topic: string, values: readonly Uint8Array[]): Promise<number>;
  /** Resets the group's offsets to zero. The group must be empty. */
  rewind(topic: string, group: string): Promise<void>;
}

export function createKafkaAdmin(brokers: string[]): KafkaAdmin {
  const kafka = new kafkajs.Kafka({
    brokers,
    clientId: 'faults',
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1000 },
  });

  async function partitionsOf(topic: string): Promise<number[]> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      return topics.flatMap(({ partitions }) => partitions.map(({ partitionId }) => partitionId));
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async appendEverywhere(topic, values) {
      const partitions = await partitionsOf(topic);
      const producer = kafka.producer();
      await producer.connect();
      try {
        const messages = values.flatMap((value, at) =>
          partitions.map((partition) => ({ key: `cpoison${at}:0`, value: Buffer.from(value), partition })),
        );
        await producer.send({ topic, acks: -1, messages });
        return messages.length;
      } finally {
        await producer.disconnect();
      }
    },
    async rewind(topic, groupId) {
      const partitions = (await partitionsOf(topic)).map((partition) => ({ partition, offset: '0' }));
      const admin = kafka.admin();
      await admin.connect();
      try {
        await admin.setOffsets({ groupId, topic, partitions });
      } finally {
        await admin.disconnect();
      }
    },
  };
}
