import { readFile } from 'node:fs/promises';

import wabt from 'wabt';

import { randomNumbers } from '../../test-kit/random-numbers.js';
import { createPlainDotProducts } from './dot-products.js';
import { dotProductsModule } from './dot-products-module.js';
import { chunkRows, VectorArena } from './vector-arena.js';

describe('the kernel of dot products', () => {
  it('is what its source assembles to', async () => {
    const source = await readFile(new URL('../../../wasm/dot-products.wat', import.meta.url), 'utf8');
    const { parseWat } = await wabt();
    const { buffer } = parseWat('dot-products.wat', source, { simd: true }).toBinary({});
    expect(Buffer.from(buffer).toString('base64')).toBe(dotProductsModule);
  });

  it.each([3, 16, 100, 384, 1536])('multiplies as the plain loop does, with %d dimensions', (dimension) => {
    const random = randomNumbers(dimension);
    const rows = Float32Array.from({ length: dimension * chunkRows }, () => random() - 0.5);
    const query = Float32Array.from({ length: dimension }, () => random() - 0.5);
    const [kernel, plain] = [
      new VectorArena(dimension, 1e6),
      new VectorArena(dimension, 1e6, createPlainDotProducts),
    ].map((arena) => {
      const chunk = arena.allocate();
      arena.write(chunk, 0, rows);
      arena.setQuery(query);
      return [...arena.products(chunk, chunkRows)];
    });
    expect(kernel).toHaveLength(chunkRows);
    for (const [row, product] of kernel!.entries()) expect(product).toBeCloseTo(plain![row]!, 5);
  });

  it('gives equal rows equal products, wherever they lie', () => {
    const random = randomNumbers(5);
    const arena = new VectorArena(384, 1e6);
    const row = Float32Array.from({ length: 384 }, () => random() - 0.5);
    arena.setQuery(Float32Array.from({ length: 384 }, () => random() - 0.5));
    const chunks = [arena.allocate(), arena.allocate()];
    for (const chunk of chunks) for (let at = 0; at < chunkRows; at++) arena.write(chunk, at, row);
    expect(new Set(chunks.flatMap((chunk) => [...arena.products(chunk, chunkRows)])).size).toBe(1);
  });
});

describe('VectorArena', () => {
  it('uses chunks again that were given back, and keeps the others when it grows', () => {
    const arena = new VectorArena(4, 1e7);
    const first = arena.allocate();
    arena.write(first, 7, Float32Array.of(1, 2, 3, 4));
    const others = Array.from({ length: 500 }, () => arena.allocate());
    expect(new Set([first, ...others]).size).toBe(501);
    arena.release(others[100]!);
    expect(arena.allocate()).toBe(others[100]);
    expect([...arena.row(first, 7)]).toEqual([1, 2, 3, 4]);
  });

  it('does not grow without bound', () => {
    const arena = new VectorArena(384, 1e6);
    expect(() => Array.from({ length: 1_000 }, () => arena.allocate())).toThrow(RangeError);
  });
});
