import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createAccounts } from '../support/accounts.js';
import type { Client } from '../support/client.js';
import { type Product, startProduct } from '../support/product.js';
import { residentMegabytes } from './bench-footprint.js';
import { benchReflector } from './bench-reflector.js';
import { type Asker, createAsker } from './load.js';
import { type Figure, median } from './report.js';
import { largeUpload, sampleTask, sampleUpload } from './samples.js';

const rounds = 12;
const questions = 20;
const memoryRounds = 4;
const manyAtOnce = 6;
const settleMs = 2_000;

interface Caller {
  asker: Asker;
  client: Client;
  /** A job that has ended. */
  ended: string;
}

/** The cost of learning: CPU, and delay of concurrent questions. */
export async function benchLearning(): Promise<Figure[]> {
  const figures = await benchReflector();
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const env = {
    WHETSTONE_LOG_LEVEL: 'error',
    WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
  };
  const product = await startProduct({ folder, env });
  try {
    const { client, key } = await createAccounts(product.target).open('bench');
    const asker = createAsker(product.target.baseUrl, key);
    const ended = await client.store(JSON.parse(sampleUpload(0)));
    for (let number = 1; number < 20; number++) await client.learn(JSON.parse(sampleUpload(number)));
    for (let question = 0; question < questions; question++) await ask(asker);
    await pause(settleMs);
    const atRest = await residentMegabytes(product.target);
    const caller = { asker, client, ended: ended.job_id };
    figures.push(await benchAsking(caller, 'one upload of 4 MiB is analysed', 1));
    figures.push(await benchAsking(caller, `${manyAtOnce} of them are`, manyAtOnce));
    asker.close();
    const most = await mostMemory(product, client);
    return [
      ...figures,
      { name: `most memory while ${manyAtOnce} of them are`, value: most, baseline: atRest, unit: 'MB' },
    ];
  } finally {
    await product.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * `enhance_task` while uploads of maximum size are analysed, against the same idle server, in turn. Accepting the uploads is
 * not measured; only questions asked while a job is processing count. Its status is polled before each question, in both
 * cases.
 */
async function benchAsking({ asker, client, ended }: Caller, meanwhile: string, atOnce: number): Promise<Figure> {
  const idleMs: number[] = [];
  const busyMs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const idle: number[] = [];
    const busy: number[] = [];
    while (idle.length < questions && !(await isUnderWay(client, [ended]))) idle.push(await ask(asker));
    while (busy.length < questions) {
      const jobs = await storeLarge(client, atOnce);
      while (await isUnderWay(client, jobs)) busy.push(await ask(asker));
    }
    idleMs.push(...idle);
    busyMs.push(...busy);
    ratios.push(median(busy) / median(idle));
  }
  const [value, baseline, ratio] = [median(busyMs), median(idleMs), median(ratios)];
  return { name: `enhance_task p50 while ${meanwhile}`, value, baseline, ratio, unit: 'ms' };
}

async function mostMemory({ target }: Product, client: Client): Promise<number> {
  let most = 0;
  for (let round = 0; round < memoryRounds; round++) {
    const jobs = await storeLarge(client, manyAtOnce);
    while (await isUnderWay(client, jobs)) most = Math.max(most, await residentMegabytes(target));
  }
  return most;
}

async function storeLarge(client: Client, count: number): Promise<string[]> {
  const accepted = await Promise.all(Array.from({ length: count }, () => client.store(JSON.parse(largeUpload()))));
  return accepted.map(({ job_id: id }) => id);
}

async function isUnderWay(client: Client, jobs: string[]): Promise<boolean> {
  while (jobs.length > 0) {
    if ((await client.job(jobs.at(-1) as string)).status === 'processing') return true;
    jobs.pop();
  }
  return false;
}

async function ask(asker: Asker): Promise<number> {
  const began = performance.now();
  await asker.enhance(sampleTask());
  return performance.now() - began;
}
