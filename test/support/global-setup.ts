import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Product, patientSettings, patientStatusSettings, startProduct } from './product.js';
import { publishTarget, readTarget } from './target.js';

/** What the setup hands to the teardown; both run in one process, outside the tests. */
export interface OwnProduct {
  product: Product;
  folder: string;
}

declare global {
  var whetstoneOwnProduct: OwnProduct | undefined;
}

/** Tests the product that the environment names, or else one of our own that lives as long as the run. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default async function globalSetup(): Promise<void> {
  if (readTarget()) return;
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-acceptance-'));
  const product = await startProduct({ folder, env: { ...patientSettings, ...patientStatusSettings } });
  globalThis.whetstoneOwnProduct = { product, folder };
  publishTarget(product.target);
}
