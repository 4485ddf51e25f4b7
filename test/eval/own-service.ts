import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';

export interface OwnService {
  url: string;
  key: string;
  end(): Promise<void>;
}

/** A standalone server of this checkout in a temporary folder, without rate limits. */
export async function startOwnService(): Promise<OwnService> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-eval-'));
  try {
    const env = {
      WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
      WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
      WHETSTONE_LOG_LEVEL: 'error',
    };
    const product = await startProduct({ folder, env });
    const end = async () => {
      await product.kill();
      await rm(folder, { recursive: true, force: true });
    };
    const { key } = await createAccounts(product.target)
      .open('eval')
      .catch(async (error: unknown) => {
        await end();
        throw error;
      });
    return { url: product.target.baseUrl, key, end };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
