import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';
import { type Figure, median } from './report.js';
import { sampleUpload } from './sample-upload.js';

const connections = 32;
const rounds = 3;
const durationSeconds = 5;

/**
 * Uploads at 32 connections against a bare express route that parses the same body. Each measurement has a process of its
 * own and the three take turns, so that what else the machine does hits all of them alike.
 */
export async function benchStore(): Promise<Figure[]> {
  const bare: number[] = [];
  const accepting: number[] = [];
  const draining: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await measureBare());
    accepting.push(await measureProduct({ WHETSTONE_ANALYSER_CONCURRENCY: '0' }));
    draining.push(await measureProduct({}));
  }
  const baseline = median(bare);
  const unit = 'uploads/s';
  return [
    { name: 'store_knowledge, analyser not draining', value: median(accepting), baseline, unit, goal: '≥ 0.5×' },
    { name: 'store_knowledge, analyser draining', value: median(draining), baseline, unit, goal: '≥ 0.5×' },
  ];
}

async function measureBare(): Promise<number> {
  const child = fork(fileURLToPath(new URL('./bare-express.js', import.meta.url)));
  try {
    const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))));
    return await uploadsPerSecond(`http://127.0.0.1:${port}`, '');
  } finally {
    child.kill('SIGKILL');
  }
}

async function measureProduct(settings: Record<string, string>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const product = await startProduct({
    folder,
    env: { ...settings, WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_LOG_LEVEL: 'error' },
  });
  try {
    const { key } = await createAccounts(product.target).open('bench');
    return await uploadsPerSecond(product.target.baseUrl, key);
  } finally {
    await product.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function uploadsPerSecond(url: string, key: string): Promise<number> {
  let number = 0;
  const result = await autocannon({
    url,
    connections,
    duration: durationSeconds,
    requests: [
      {
        method: 'POST',
        path: '/store_knowledge',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        setupRequest: (request) => ({ ...request, body: sampleUpload(number++) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return result['2xx'] / result.duration;
}
