import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createAccounts } from '../support/accounts.js';
import type { Client } from '../support/client.js';
import { type Product, startProduct } from '../support/product.js';
import { type Asker, createAsker } from './asker.js';
import { benchReflector } from './bench-reflector.js';
import { residentMegabytes } from './footprint.js';
import { largeUpload } from './large-upload.js';
import { type Figure, median } from './report.js';
import { sampleTask } from './sample-tasks.js';
import { sampleUpload } from './sample-upload.js';

const rounds = 4;
const questions = 20;
const manyAtOnce = 6;
const settleMs = 2_000;

/** What learning costs: by itself, and those who ask meanwhile. */
export async function benchLearning(): Promise<Figure[]> {
  const figures = await benchReflector();
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const env = { WHETSTONE_LOG_LEVEL: 'error', WHETSTONE_RATE_LIMIT_PER_SECOND: '0' };
  const product = await startProduct({ folder, env });
  try {
    const { client, key } = await createAccounts(product.target).open('bench');
    const asker = createAsker(product.target.baseUrl, key);
    for (let number = 0; number < 20; number++) await client.learn(JSON.parse(sampleUpload(number)));
    for (let question = 0; question < questions; question++) await ask(asker);
    await pause(settleMs);
    const atRest = await residentMegabytes(product.target);
    figures.push(await benchAsking('one upload of 4 MiB is analysed', 1, asker, client));
    figures.push(await benchAsking(`${manyAtOnce} of them are`, manyAtOnce, asker, client));
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
 * `enhance_task` while the largest uploads allowed are analysed, against the same server with nothing to analyse, by turns. That
 * they are accepted is waited for and not measured; only what was asked while a job was under way counts.
 */
async function benchAsking(meanwhile: string, atOnce: number, asker: Asker, client: Client): Promise<Figure> {
  const idleMs: number[] = [];
  const busyMs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const idle: number[] = [];
    const busy: number[] = [];
    for (let question = 0; question < questions; question++) idle.push(await ask(asker));
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
  for (let round = 0; round < rounds; round++) {
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
