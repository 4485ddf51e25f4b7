import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { createAccounts } from '../support/accounts.js';
import type { JobRecord } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const run = promisify(execFile);

/** Longer than three tries with their pauses take. */
const starvedMs = 6000;
/** Every fourth is so large that a thread reads it even before it analyses it. */
const bodies = Array.from({ length: 26 }, (_, index) => ({
  ...lessonUpload('starved', lessons.logs),
  metadata: { padding: index % 4 === 0 ? 'x'.repeat(200_000) : '' },
}));

let folder: string;
let product: Product;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-starved-'));
  product = await startProduct({ folder });
});

afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

it('no descriptor left: uploads are accepted on open connections, no job fails, and all are done when there are some again', async () => {
  if (process.platform !== 'linux') {
    process.stdout.write('LEFT OUT: no descriptor left. Limits of a running process need Linux.\n');
    expect(process.env['WHETSTONE_TEST_REQUIRE_ALL']).not.toBe('1');
    return;
  }
  const { client, key } = await createAccounts(product.target).open();
  // No other connection is accepted meanwhile.
  const send = onOneConnection(key);
  await send('GET', '/');
  // Starts the thread that reads large bodies. Without one they would be refused with 503.
  await send('POST', '/store_knowledge', { padding: 'x'.repeat(200_000) });
  const limit = await openFilesOf(product.pid);
  await allowOpenFiles(product.pid, '3');

  // The thread that analyses starts with the first job.
  const jobIds = await inParallel(bodies, 1, async (body) => (await send('POST', '/store_knowledge', body)).job_id);
  await sleep(starvedMs);
  const meanwhile = await inParallel(jobIds, 1, (jobId) => send('GET', `/knowledge_status/${jobId}`));
  await allowOpenFiles(product.pid, limit);
  const ends = await inParallel(jobIds, 1, (jobId) => client.jobEnded(jobId));

  expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set(['processing']));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed']));
}, 300_000);

function onOneConnection(key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return (method: string, path: string, body?: object): Promise<JobRecord> =>
    new Promise((resolve, reject) => {
      const sent = request(`${product.target.baseUrl}${path}`, { agent, method, headers }, async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve(JSON.parse(text) as JobRecord);
      });
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
}

async function openFilesOf(pid: number): Promise<string> {
  const { stdout } = await run('prlimit', ['--pid', String(pid), '--nofile', '--output', 'SOFT', '--noheadings']);
  return stdout.trim();
}

/** New ones get the lowest free number, so with a limit of 3 no file, socket or thread can be opened. */
async function allowOpenFiles(pid: number, limit: string): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}
