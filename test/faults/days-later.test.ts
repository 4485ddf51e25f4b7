import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { inParallel } from '../support/eventually.js';
import { type Product, patientSettings, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { preload } from './planted/preload.js';

const uploads = 40;
/** Jobs are polled without a pause. */
const unlimited = { WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0' };
let folder: string;
let product: Product;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-days-'));
});

afterEach(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each([2, 8])(
  'off for %s days: every waiting job says processing until it has had its try',
  async (days) => {
    product = await startProduct({ folder, env: { ...patientSettings, WHETSTONE_ANALYSER_CONCURRENCY: '0' } });
    const { client, key } = await createAccounts(product.target).open();
    const bodies = Array.from({ length: uploads }, () => lessonUpload('waiting', lessons.logs));
    const jobIds = await inParallel(bodies, 8, async (body) => (await client.store(body)).job_id);
    await product.stop();

    const later = { ...patientSettings, ...unlimited, ...preload('days-later'), TEST_DAYS_LATER: String(days) };
    product = await startProduct({ folder, env: later });
    const clientLater = createClient(product.target.baseUrl, key);
    const seen = new Set<string>();
    await inParallel(jobIds, 8, async (jobId) => {
      for (let status = 'processing'; status === 'processing'; seen.add(status)) {
        ({ status } = await clientLater.job(jobId));
      }
    });

    seen.delete('processing');
    expect(seen).toEqual(new Set(['completed']));
  },
  300_000,
);
