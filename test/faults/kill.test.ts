import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createAccounts, keyCounts, unique } from '../support/accounts.js';
import { type Client, createClient } from '../support/client.js';
import type { JobRecord } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import type { IssuedKey } from '../support/operator.js';
import { type Product, startProduct } from '../support/product.js';
import { createRandomness } from '../support/randomness.js';
import { lessons, shellSuccess } from '../support/uploads.js';
import { checkPromises, type SentUpload } from './check-promises.js';
import { exportInsights } from './export-insights.js';

/** More of them for a longer look: WHETSTONE_TEST_KILL_ROUNDS. */
const rounds = Number(process.env['WHETSTONE_TEST_KILL_ROUNDS'] ?? 3);
const clientsAtOnce = 6;
const unlimited = { WHETSTONE_RATE_LIMIT_PER_SECOND: '0' };
const random = createRandomness();
let folder: string;
let product: Product;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-kill-'));
});

afterEach(async () => {
  await product.kill();
  await rm(folder, { recursive: true });
});

it(
  'kill −9 in the middle of work: every acknowledged job ends, every insight is there once, no key is lost',
  async () => {
    const sent: SentUpload[] = [];
    const keys: IssuedKey[] = [];
    const revoked: IssuedKey[] = [];
    for (let round = 0; round < rounds; round++) {
      product = await startProduct({ folder, env: unlimited });
      const accounts = createAccounts(product.target);
      const worker = await accounts.open(keys[0]?.account);
      const leaver = await accounts.open(worker.account);
      await accounts.operator.revokeKey(leaver.keyId);
      keys.push(worker);
      revoked.push(leaver);
      const { client } = worker;
      const uploading = Array.from({ length: clientsAtOnce }, (_, index) =>
        uploadUntilGone(client, `room-${index % 3}`, sent),
      );
      await sleep(200 + random.below(1200));
      await product.kill();
      await Promise.all(uploading);
    }

    product = await startProduct({ folder, env: unlimited });
    for (const { key } of keys) await keyCounts(product.target.baseUrl, key, true);
    for (const { key } of revoked) await keyCounts(product.target.baseUrl, key, false);
    const clients = keys.map(({ key }) => createClient(product.target.baseUrl, key));
    const unsure = sent.filter(({ jobId, retried }) => jobId === undefined && retried);
    await inParallel(unsure, 4, (upload) => store(random.pick(clients), upload));
    const acknowledged = sent.flatMap(({ jobId }) => jobId ?? []);
    const jobs = new Map(
      await inParallel(acknowledged, 8, async (jobId) => [jobId, await endOf(random.pick(clients), jobId)] as const),
    );
    const insights = await exportInsights(product);

    expect(acknowledged.length).toBeGreaterThan(rounds * clientsAtOnce);
    expect(unsure.length).toBeGreaterThan(0);
    expect(checkPromises({ sent, jobs, insights })).toEqual([]);
  },
  60_000 + rounds * 20_000,
);

/** Uploads one after another, remembering each, until the server is gone. */
async function uploadUntilGone(client: Client, tenantId: string, sent: SentUpload[]): Promise<void> {
  for (let number = 0; ; number++) {
    const upload: SentUpload = { word: unique('zq').replace('-', ''), tenantId, retried: number % 2 === 0 };
    sent.push(upload);
    try {
      await store(client, upload);
    } catch (error) {
      if ((error as Error).name === 'TypeError') return;
      throw error;
    }
  }
}

async function store(client: Client, upload: SentUpload): Promise<void> {
  const { word, tenantId, retried } = upload;
  const { task, command } = lessons.archive;
  const body = shellSuccess(tenantId, task, `${command} # ${word}`);
  upload.jobId = (await client.store(body, retried ? { 'idempotency-key': word } : {})).job_id;
}

async function endOf(client: Client, jobId: string): Promise<JobRecord | undefined> {
  const { status } = await client.request('GET', `/knowledge_status/${jobId}`);
  return status === 404 ? undefined : client.jobEnded(jobId);
}
