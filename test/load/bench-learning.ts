import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';
import { createAsker } from './asker.js';
import { benchReflector } from './bench-reflector.js';
import { residentMegabytes } from './footprint.js';
import { largeUpload } from './large-upload.js';
import { type Figure, median } from './report.js';
import { sampleTask } from './sample-tasks.js';
import { sampleUpload } from './sample-upload.js';

const rounds = 5;
const largeAtOnce = 6;
const questions = 25;
const settleMs = 2_000;

/** What learning costs: by itself, and those who ask meanwhile. */
export async function benchLearning(): Promise<Figure[]> {
  return [...(await benchReflector()), ...(await benchAskingMeanwhile())];
}

/**
 * `enhance_task` while the largest uploads allowed are analysed, against the same server with nothing to analyse. Each round asks
 * before and after the uploads are accepted, so accepting them is not measured here; only answers given while a job was
 * still under way count.
 */
async function benchAskingMeanwhile(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const env = { WHETSTONE_LOG_LEVEL: 'error', WHETSTONE_RATE_LIMIT_PER_SECOND: '0' };
  const product = await startProduct({ folder, env });
  try {
    const { client, key } = await createAccounts(product.target).open('bench');
    const asker = createAsker(product.target.baseUrl, key);
    const ask = () => millisecondsOf(() => asker.enhance(sampleTask()));
    for (let number = 0; number < 20; number++) await client.learn(JSON.parse(sampleUpload(number)));
    for (let question = 0; question < questions; question++) await ask();
    await pause(settleMs);
    const atRest = await residentMegabytes(product.target);

    const idleMs: number[] = [];
    const busyMs: number[] = [];
    const ratios: number[] = [];
    let most = 0;
    for (let round = 0; round < rounds; round++) {
      const idle: number[] = [];
      for (let question = 0; question < questions; question++) idle.push(await ask());
      const jobs = await Promise.all(
        Array.from({ length: largeAtOnce }, () => client.store(JSON.parse(largeUpload()))),
      );
      const busy: number[] = [];
      while ((await client.job(jobs.at(-1)?.job_id ?? '')).status === 'processing') {
        const [took, megabytes] = [await ask(), await residentMegabytes(product.target)];
        busy.push(took);
        most = Math.max(most, megabytes);
      }
      for (const { job_id: id } of jobs) await client.jobEnded(id);
      idleMs.push(...idle);
      busyMs.push(...busy);
      if (busy.length > 0) ratios.push(median(busy) / median(idle));
    }
    asker.close();
    return [
      {
        name: 'enhance_task p50 while uploads of 4 MiB are analysed',
        value: median(busyMs),
        baseline: median(idleMs),
        ratio: median(ratios),
        unit: 'ms',
      },
      {
        name: 'most memory while uploads of 4 MiB are analysed',
        value: most,
        baseline: atRest,
        unit: 'MB',
      },
    ];
  } finally {
    await product.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
