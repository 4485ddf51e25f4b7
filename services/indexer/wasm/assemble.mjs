/** Writes src/adapters/local-vector-store/kernel-module.ts from kernel.wat: `node wasm/assemble.mjs`. */
import { readFile, writeFile } from 'node:fs/promises';

import wabt from 'wabt';

const { parseWat } = await wabt();
const source = await readFile(new URL('kernel.wat', import.meta.url), 'utf8');
const { buffer } = parseWat('kernel.wat', source, { simd: true }).toBinary({});
const lines = (
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g) ?? []
).map((line) => `  '${line}',`);
const code = `/** Assembled from wasm/kernel.wat by wasm/assemble.mjs. */
export const kernelModule = [
${lines.join('\n')}
].join('');
`;
await writeFile(new URL('../src/adapters/local-vector-store/kernel-module.ts', import.meta.url), code);
