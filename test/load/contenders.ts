import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createAccounts } from '../support/accounts.js';
import { type Product, startProduct } from '../support/product.js';

/** A measured server in its own process. */
export interface Contender {
  url: string;
  key: string;
  pid: number;
  end(): Promise<void>;
}

export async function startBareExpress(): Promise<Contender> {
  const child = fork(fileURLToPath(new URL('./bare-express.js', import.meta.url)));
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))));
  return {
    url: `http://127.0.0.1:${port}`,
    key: '',
    pid: child.pid as number,
    end: async () => void child.kill('SIGKILL'),
  };
}

/** The product, without limits unless the settings have some. */
export interface ProductContender extends Contender {
  account: string;
  product: Product;
  /** For files of the bench, removed at the end. */
  folder: string;
}

/** @param flags of its key, such as ` --scope curate` */
export async function startContender(settings: Record<string, string> = {}, flags = ''): Promise<ProductContender> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const env = {
    WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
    WHETSTONE_LOG_LEVEL: 'error',
    ...settings,
  };
  const product = await startProduct({ folder, env });
  const { key, account } = await createAccounts(product.target).open('bench', flags);
  return {
    url: product.target.baseUrl,
    key,
    account,
    product,
    folder,
    pid: product.pid,
    async end() {
      await product.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one of them; the others are stopped, background work included. */
export async function whileOthersStandStill<Result>(
  contenders: Contender[],
  chosen: Contender,
  work: () => Promise<Result>,
): Promise<Result> {
  const others = contenders.filter((contender) => contender !== chosen);
  for (const { pid } of others) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const { pid } of others) process.kill(pid, 'SIGCONT');
  }
}
