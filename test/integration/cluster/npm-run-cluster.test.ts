import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { guard } from '@whetstone/deploy';

import { eventually } from '../../support/eventually.js';
import { projectFolder } from '../../support/product.js';

interface Running {
  process: ChildProcess;
  url: string;
  key: string;
  folder: string;
  /** Process ids of the services. */
  pids: number[];
}

/** Starts what `npm run cluster` runs; resolves when it has printed everything. */
async function startByCommand(): Promise<Running> {
  const child = spawn(process.execPath, [join(projectFolder, 'deploy/dist/cluster/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('exit', guard(child.pid as number));
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  await eventually(() => (child.exitCode !== null || printed.includes('Ctrl-C stops') ? true : undefined), {
    what: 'the cluster has started',
    withinMs: 240_000,
  });
  const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
  return {
    process: child,
    url: found(/listening on (\S+)/),
    key: found(/WHETSTONE_KEY=(\S+)/),
    folder: found(/logs and data +(\S+)/),
    pids: [...printed.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid)),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const allGone = (pids: number[]) => () => (pids.some(isRunning) ? undefined : true);

describe('npm run cluster', () => {
  it('prints an address and a key that work, and leaves nothing behind after Ctrl-C', async () => {
    const { process: child, url, key, folder, pids } = await startByCommand();
    expect(pids).toHaveLength(8);
    await eventually(
      async () => {
        const { status } = await fetch(url, { headers: { 'x-api-key': key, connection: 'close' } });
        return status === 200 ? true : undefined;
      },
      { what: 'the first key counts' },
    );
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    await eventually(allGone(pids), { what: 'all processes are gone' });
    expect(existsSync(folder)).toBe(false);
  });

  it('takes every process with it when it is killed with −9', async () => {
    const { process: child, folder, pids } = await startByCommand();
    expect(pids).toHaveLength(8);
    child.kill('SIGKILL');
    await eventually(allGone(pids), { what: 'all processes are gone' });
    await rm(folder, { recursive: true, force: true });
  });
});
