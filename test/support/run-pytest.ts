import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { guard } from '@whetstone/deploy';

import { createAccounts } from './accounts.js';
import { inheritedEnvironment, patientSettings, projectFolder, startProduct } from './product.js';

interface PytestRun {
  /** That has pytest. */
  python: string;
  /** Of the tests, in the project. */
  folder: string;
  /** Of the product. */
  settings?: Record<string, string>;
  /** Of the tests. */
  env?: Record<string, string>;
}

/** Runs pytest on a product of its own, at WHETSTONE_URL with a WHETSTONE_KEY of all scopes. Fails with what it printed. */
export async function runPytest({ python, folder, settings = {}, env = {} }: PytestRun): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'whetstone-pytest-'));
  const product = await startProduct({ folder: data, env: { ...patientSettings, ...settings } });
  try {
    const scopes = ' --scope ask --scope record --scope curate --scope admin';
    const { key } = await createAccounts(product.target).open('pytest', scopes);
    const server = { WHETSTONE_URL: product.target.baseUrl, WHETSTONE_KEY: key };
    const { code, printed } = await pytest(python, folder, { ...server, ...env });
    if (code !== 0) throw new Error(printed);
    expect(printed).toMatch(/\d+ passed/);
    expect(printed).not.toMatch(/skipped/);
  } finally {
    await product.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function pytest(
  python: string,
  folder: string,
  env: Record<string, string>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: join(projectFolder, folder),
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
