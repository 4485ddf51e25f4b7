import { randomInt } from 'node:crypto';

import { Kafka, logLevel } from 'kafkajs';

import { sampleUpload } from '../samples.js';

/** The upload baseline: plain kafkajs, one message per request. Runs as its own process. */
const [brokers = '', topic = '', concurrency = ''] = process.argv.slice(2);
const producer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR }).producer({
  allowAutoTopicCreation: false,
});

/** Reads durations in seconds and answers each with the messages acknowledged per second. */
process.on('message', async (seconds: number) => {
  let number = randomInt(100_000_000);
  let acknowledged = 0;
  const began = performance.now();
  const produce = async () => {
    while (performance.now() - began < seconds * 1000) {
      const key = `bench/${number % 4}`;
      await producer.send({ topic, acks: -1, messages: [{ key, value: sampleUpload(number++) }] });
      acknowledged++;
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, produce));
  process.send?.((acknowledged * 1000) / (performance.now() - began));
});

await producer.connect();
process.send?.('ready');
