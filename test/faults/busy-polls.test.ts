import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts } from '../support/accounts.js';
import { type Client, createClient } from '../support/client.js';
import { inParallel } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { isFull } from './extent.js';

const connections = 64;
/** Connections that send bodies which cost the server as much as they can. */
const heavyConnections = 4;
const lastsMs = isFull ? 30_000 : 8_000;
const heavyBody = JSON.stringify({
  ...lessonUpload('heavy', lessons.logs),
  turns: [{ turn: 1, inputs: 'key='.repeat(1_000_000), decision: 'ls' }],
});

let folder: string;
let product: Product;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-busy-'));
  // Its own limits of time: those are what polls must not run into.
  product = await startProduct({ folder, env: { WHETSTONE_RATE_LIMIT_PER_SECOND: '0' } });
});

afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

it('64 connections that upload and poll, some of them heavy: every poll is answered', async () => {
  const [light, heavy] = [await open(), await open()];
  const until = performance.now() + lastsMs;
  const answers = new Map<number, number>();

  await inParallel(
    Array.from({ length: connections }, (_, index) => index),
    connections,
    async (index) => {
      while (performance.now() < until) {
        if (index < heavyConnections) await heavy.request('POST', '/store_knowledge', { body: heavyBody });
        else await uploadAndPoll(light, answers);
      }
    },
  );

  const polls = [...answers.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${polls} polls on ${connections} connections, by status: ${JSON.stringify([...answers])}\n`);
  expect([...answers.keys()]).toEqual([200]);
}, 300_000);

async function open(): Promise<Client> {
  const { key } = await createAccounts(product.target).open();
  return createClient(product.target.baseUrl, key);
}

async function uploadAndPoll(client: Client, answers: Map<number, number>): Promise<void> {
  const body = lessonUpload('light', lessons.logs);
  const stored = await client.request<{ job_id?: string }>('POST', '/store_knowledge', { body });
  if (stored.body.job_id === undefined) return;
  for (let polls = 0; polls < 3; polls++) {
    const { status } = await client.request('GET', `/knowledge_status/${stored.body.job_id}`);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
}
