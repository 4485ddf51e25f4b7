import { dotProductsModule } from './dot-products-module.js';

/** Writes the products of a query with `count` rows into `products`; all places are byte addresses in the memory. */
export type DotProducts = (query: number, rows: number, count: number, strideBytes: number, products: number) => void;

/** Rows are padded to this many bytes: the kernel takes sixteen floats at a time. */
export const rowAlignment = 64;

/** The SIMD kernel on this memory, or the plain loop where the engine has no SIMD. */
export function createDotProducts(memory: WebAssembly.Memory): DotProducts {
  const bytes = Buffer.from(dotProductsModule, 'base64');
  if (!WebAssembly.validate(bytes)) return createPlainDotProducts(memory);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { whetstone: { memory } });
  return exports['dotProducts'] as DotProducts;
}

export function createPlainDotProducts(memory: WebAssembly.Memory): DotProducts {
  return (query, rows, count, strideBytes, products) => {
    const floats = new Float32Array(memory.buffer);
    const length = strideBytes / 4;
    const first = query / 4;
    for (let row = 0; row < count; row++) {
      const start = rows / 4 + row * length;
      let sum = 0;
      for (let i = 0; i < length; i++) sum += (floats[first + i] as number) * (floats[start + i] as number);
      floats[products / 4 + row] = sum;
    }
  };
}
