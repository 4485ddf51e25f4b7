import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { Kafka, logLevel } from 'kafkajs';
import { uploadsPerSecond } from '../load.js';
import { type Figure, median } from '../report.js';
import type { Bench } from './bench-cluster.js';

const topic = 'bench.raw';
const connections = 32;
const rounds = 8;
const turnSeconds = 2;

/**
 * Uploads against the same bodies produced by bare kafkajs with the same concurrency, in short turns. The analysers are
 * paused: their work is not measured here.
 */
export async function benchAppending({ cluster, key }: Bench): Promise<Figure[]> {
  await createTopic(cluster.kafka.brokers);
  const script = fileURLToPath(new URL('./raw-producer.js', import.meta.url));
  const raw = fork(script, [cluster.kafka.brokers.join(), topic, String(connections)]);
  for (const analyser of cluster.services.analyser) analyser.pause();
  try {
    await nextMessage(raw);
    const rates = { raw: [] as number[], uploads: [] as number[] };
    const [url = cluster.url] = cluster.gatewayUrls;
    const produce = () => ask(raw, turnSeconds);
    const upload = () => uploadsPerSecond({ url, key, connections, seconds: turnSeconds });
    await produce();
    await upload();
    for (let round = 0; round < rounds; round++) {
      rates.raw.push(await produce());
      rates.uploads.push(await upload());
    }
    return [
      {
        name: 'store_knowledge, 32 connections, in Kafka',
        value: median(rates.uploads),
        baseline: median(rates.raw),
        ratio: median(rates.uploads.map((rate, round) => rate / (rates.raw[round] as number))),
        unit: 'uploads/s',
        goal: '≥ 0.5×',
      },
    ];
  } finally {
    raw.kill('SIGKILL');
    for (const analyser of cluster.services.analyser) analyser.resume();
  }
}

async function createTopic(brokers: string[]): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.ERROR }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 8, replicationFactor: 1 }], waitForLeaders: true });
  await admin.disconnect();
}

async function ask(raw: ChildProcess, seconds: number): Promise<number> {
  const answer = nextMessage(raw);
  raw.send(seconds);
  return Number(await answer);
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The raw producer ended with ${code}`)));
  });
}
