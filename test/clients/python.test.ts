import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fetchPythonForClient, guard } from '@whetstone/deploy';

import { createAccounts } from '../support/accounts.js';
import { inheritedEnvironment, patientSettings, projectFolder, startProduct } from '../support/product.js';

/** Runs pytest on a product of its own; prints what it says only if a test fails. */
async function pytest(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const child = spawn(await fetchPythonForClient(), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: join(projectFolder, 'clients/python'),
    env: { ...inheritedEnvironment(), PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: its tests start processes, too.
    detached: true,
  });
  const unguard = guard(-(child.pid as number));
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => printed.push(bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  unguard();
  return { code, printed: Buffer.concat(printed).toString() };
}

it('the Python client passes its own tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-python-'));
  const product = await startProduct({ folder, env: patientSettings });
  try {
    const scopes = ' --scope ask --scope record --scope curate --scope admin';
    const { key } = await createAccounts(product.target).open('python-client', scopes);
    const { code, printed } = await pytest({ WHETSTONE_URL: product.target.baseUrl, WHETSTONE_KEY: key });
    if (code !== 0) throw new Error(printed);
    expect(printed).toMatch(/\d+ passed/);
    expect(printed).not.toMatch(/skipped/);
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 600_000);
