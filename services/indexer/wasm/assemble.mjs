/** Writes src/adapters/local-vector-store/dot-products-module.ts from dot-products.wat: `node wasm/assemble.mjs`. */
import { readFile, writeFile } from 'node:fs/promises';

import wabt from 'wabt';

const { parseWat } = await wabt();
const source = await readFile(new URL('dot-products.wat', import.meta.url), 'utf8');
const { buffer } = parseWat('dot-products.wat', source, { simd: true }).toBinary({});
const lines = (
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g) ?? []
).map((line) => `  '${line}',`);
const code = `/** Assembled from wasm/dot-products.wat by wasm/assemble.mjs. */
export const dotProductsModule = [
${lines.join('\n')}
].join('');
`;
await writeFile(new URL('../src/adapters/local-vector-store/dot-products-module.ts', import.meta.url), code);
