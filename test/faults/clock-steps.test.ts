import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createAccounts } from '../support/accounts.js';
import { inParallel } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { preload } from './planted/preload.js';

/** Several steps of the clock fit into it. */
const lastsMs = 9000;

/** Between the rounds of one caller, so that a fast machine stays within the request rate of a key. */
const pauseMs = 100;

let folder: string;
let product: Product;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-clock-'));
  product = await startProduct({ folder, env: preload('stepping-clock') });
});

afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a wall clock that is set back and forward: every request is answered, and every job completes', async () => {
  const { client } = await createAccounts(product.target).open();
  const until = performance.now() + lastsMs;
  const jobIds: string[] = [];

  // Each of these throws unless it succeeds.
  await inParallel([1, 2, 3, 4], 4, async () => {
    while (performance.now() < until) {
      jobIds.push((await client.store(lessonUpload('clock', lessons.logs))).job_id);
      await client.enhance({ tenant_id: 'clock', input_text: lessons.logs.asked });
      await client.job(jobIds[0] as string);
      await sleep(pauseMs);
    }
  });
  const ends = await inParallel(jobIds, 4, (jobId) => client.jobEnded(jobId));

  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed']));
}, 300_000);
