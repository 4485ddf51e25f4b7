import { setTimeout as pause } from 'node:timers/promises';

import type { Replica } from '@whetstone/deploy';

import { eventually } from '../../support/eventually.js';
import type { Figure } from '../report.js';
import { sampleUpload } from '../samples.js';
import type { Bench } from './bench-cluster.js';

const collections = 16;
const uploads = 1_000;
const windowMs = 12_000;

/** Jobs per second with one analyser and with two, at 200 ms per analysis and four at once. */
export async function benchScaling({ cluster, key }: Bench): Promise<Figure[]> {
  const [first, second] = cluster.services.analyser as [Replica, Replica];
  await second.stop();
  const upload = () => uploadMany(cluster.url, key);
  await upload();
  const alone = await jobsPerSecond([first]);
  await second.restart();
  await upload();
  const together = await jobsPerSecond([first, second]);
  await eventually(async () => (await openJobs([first, second])) === 0 || undefined, {
    what: 'all jobs end',
    withinMs: 300_000,
    everyMs: 1000,
  });
  return [{ name: 'jobs/s, two analysers', value: together, baseline: alone, unit: 'jobs/s', goal: '≥ 1.7×' }];
}

async function uploadMany(url: string, key: string): Promise<void> {
  const numbers = Array.from({ length: uploads }, (_, number) => number);
  const upload = async (number: number) => {
    const answer = await fetch(`${url}/store_knowledge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: sampleUpload(number, `scaling-${number % collections}`),
    });
    if (answer.status !== 202) throw new Error(`store_knowledge answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await upload(number);
    }),
  );
}

/** Measured under saturation, once every analyser has its partitions. */
async function jobsPerSecond(analysers: Replica[]): Promise<number> {
  const begun = await Promise.all(analysers.map(endedJobs));
  await eventually(
    async () => {
      const now = await Promise.all(analysers.map(endedJobs));
      return now.every((count, index) => count > (begun[index] as number) + 5) || undefined;
    },
    { what: 'every analyser works', withinMs: 60_000 },
  );
  const before = await totalOf(analysers);
  const beganMs = performance.now();
  await pause(windowMs);
  const after = await totalOf(analysers);
  if ((await openJobs(analysers)) === 0) throw new Error('There was not enough to do');
  return ((after - before) * 1000) / (performance.now() - beganMs);
}

async function totalOf(analysers: Replica[]): Promise<number> {
  return (await Promise.all(analysers.map(endedJobs))).reduce((sum, count) => sum + count, 0);
}

function endedJobs({ opsUrl }: Replica): Promise<number> {
  return sumOf(opsUrl, /^whetstone_jobs_total\{.*\} (\S+)$/gm);
}

async function openJobs(analysers: Replica[]): Promise<number> {
  const lags = await Promise.all(
    analysers.map(({ opsUrl }) => sumOf(opsUrl, /^whetstone_consumer_lag_messages(?:\{.*\})? (\S+)$/gm)),
  );
  return lags.reduce((sum, lag) => sum + lag, 0);
}

async function sumOf(opsUrl: string, pattern: RegExp): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return [...metrics.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}
