import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Collector, startCollector } from '@whetstone/deploy';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import {
  inheritedEnvironment,
  type Product,
  patientSettings,
  projectFolder,
  startProduct,
} from '../support/product.js';

const example = join(projectFolder, 'examples/otel-collector');
let folder: string;
let product: Product;
let collector: Collector;
let account: Account;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-collector-'));
  product = await startProduct({ folder: join(folder, 'product'), env: patientSettings });
  account = await createAccounts(product.target).open();
  env = { WHETSTONE_URL: product.target.baseUrl, WHETSTONE_KEY: account.key, WHETSTONE_TENANT: unique('collector') };
  const config = join(example, 'collector.yaml');
  collector = await startCollector({ folder: join(folder, 'collector'), config, env });
});

afterAll(async () => {
  await collector?.stop();
  await product?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('traces of an application come through a Collector, and their lesson comes back at the next task', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(example, 'dist/main.js')], {
    env: { ...inheritedEnvironment(), ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });

  expect(stderr).toBe('');
  expect(stdout).toMatch(/in 2024\?\n\n.*\n.*3 calls of the model/);
  expect(stdout).toMatch(/in 2025\?\n\n--- Recommendations[\s\S]*2 calls of the model/);
  const path = `/runs?tenant_id=${env['WHETSTONE_TENANT']}`;
  const { body } = await account.client.request<{ runs: object[] }>('GET', path);
  expect(body.runs.at(-1)).toMatchObject({
    query: 'How many orders did each customer place in 2024?',
    agent_type: 'sql',
    success: true,
  });
  // The exporter beside ours gets them, too.
  expect(collector.printed()).toMatch(/"otelcol.component.id": "debug".*"spans": [1-9]/);
});
