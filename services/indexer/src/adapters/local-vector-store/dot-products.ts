import { dotProductsModule } from './dot-products-module.js';

/**
 * Writes the products of a query (16-bit integers) with `count` rows (8-bit) into `products` (32-bit); all places are byte
 * addresses in the memory.
 */
export type DotProducts = (query: number, rows: number, count: number, strideBytes: number, products: number) => void;

/** Rows are padded to this many bytes: the kernel takes as many at a time. */
export const rowAlignment = 32;

/** The SIMD kernel on this memory, or the plain loop where the engine has no SIMD. */
export function createDotProducts(memory: WebAssembly.Memory): DotProducts {
  const bytes = Buffer.from(dotProductsModule, 'base64');
  if (!WebAssembly.validate(bytes)) return createPlainDotProducts(memory);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { whetstone: { memory } });
  return exports['dotProducts'] as DotProducts;
}

export function createPlainDotProducts(memory: WebAssembly.Memory): DotProducts {
  return (query, rows, count, strideBytes, products) => {
    const queryValues = new Int16Array(memory.buffer, query, strideBytes);
    const rowValues = new Int8Array(memory.buffer, rows, count * strideBytes);
    const sums = new Int32Array(memory.buffer, products, count);
    for (let row = 0; row < count; row++) {
      let sum = 0;
      for (let i = 0; i < strideBytes; i++) {
        sum += (queryValues[i] as number) * (rowValues[row * strideBytes + i] as number);
      }
      sums[row] = sum;
    }
  };
}
