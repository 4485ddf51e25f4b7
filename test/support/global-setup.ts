import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lowLimits, type Product, patientSettings, patientStatusSettings, startProduct } from './product.js';
import { publishTarget, readTarget } from './target.js';

/** Passed from setup to teardown, which run in the same process. */
export interface OwnProduct {
  product: Product;
  folder: string;
}

declare global {
  var whetstoneOwnProduct: OwnProduct | undefined;
}

/** Tests the product that the environment names, or starts one for this run. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default async function globalSetup(): Promise<void> {
  if (readTarget()) return;
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-acceptance-'));
  const product = await startProduct({ folder, env: { ...patientSettings, ...patientStatusSettings, ...lowLimits } });
  globalThis.whetstoneOwnProduct = { product, folder };
  publishTarget(product.target);
}
