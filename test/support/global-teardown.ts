import { rm } from 'node:fs/promises';

import { spareKeyIssued } from './accounts.js';

/** Stops what the setup started. A product that does not stop cleanly fails the run. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default async function globalTeardown(): Promise<void> {
  await spareKeyIssued();
  const own = globalThis.whetstoneOwnProduct;
  if (!own) return;
  const { code, signal } = await own.product.stop();
  const printed = own.product.printed();
  await rm(own.folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`The product ended with ${code ?? signal}:\n${printed.slice(-4000)}`);
}
