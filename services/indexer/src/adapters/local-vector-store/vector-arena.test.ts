import { readFile } from 'node:fs/promises';
import { randomNumbers } from '@whetstone/platform/test-kit';
import wabt from 'wabt';

import { cosine } from '../../domain/intent/similarity.js';
import { kernelModule } from './kernel-module.js';
import { chunkRows, createKernel, createPlainKernel, VectorArena } from './vector-arena.js';

describe('the kernel', () => {
  it('matches its source', async () => {
    const source = await readFile(new URL('../../../wasm/kernel.wat', import.meta.url), 'utf8');
    const { parseWat } = await wabt();
    const { buffer } = parseWat('kernel.wat', source, { simd: true }).toBinary({});
    expect(Buffer.from(buffer).toString('base64')).toBe(kernelModule);
  });

  it.each([3, 32, 100, 384, 1536])('multiplies like the plain loop, with %d dimensions', (dimension) => {
    const random = randomNumbers(dimension);
    const vector = () => Float32Array.from({ length: dimension }, () => random() - 0.5);
    const rows = [...Array.from({ length: chunkRows - 2 }, vector), ones(dimension), ones(dimension, -1)];
    for (const query of [vector(), ones(dimension)]) {
      const [kernel, plain] = [createKernel, createPlainKernel].map((products) =>
        boundsOf(new VectorArena(dimension, 1e6, products), query, rows),
      );
      expect(kernel).toEqual(plain);
    }
  });

  it.each([3, 32, 100, 384, 1536])('finds the cosine like the plain loop, with %d dimensions', (dimension) => {
    const random = randomNumbers(dimension);
    const vector = () => Float32Array.from({ length: dimension }, () => random() - 0.5);
    const rows = [...Array.from({ length: chunkRows - 2 }, vector), ones(dimension), ones(dimension, 0)];
    for (const query of [vector(), rows[0]!, ones(dimension), ones(dimension, 0)]) {
      for (const kernel of [createKernel, createPlainKernel]) {
        const arena = new VectorArena(dimension, 1e6, kernel);
        arena.setQuery(query);
        for (const row of rows) expect(arena.cosine(row)).toBeCloseTo(cosine(query, row), 12);
      }
    }
  });

  it.each([384, 4096])('does not overflow on the largest values, with %d dimensions', (dimension) => {
    const { lowest, highest } = boundsOf(new VectorArena(dimension, 1e7), ones(dimension), [
      ones(dimension),
      ones(dimension, -1),
    ]);
    expect(lowest[0]).toBeGreaterThan(0);
    expect(highest[1]).toBeLessThan(0);
  });
});

function ones(dimension: number, value = 1): Float32Array {
  return new Float32Array(dimension).fill(value);
}

function filled(arena: VectorArena, rows: readonly Float32Array[]): number {
  const chunk = arena.allocate();
  for (const [at, row] of rows.entries()) arena.write(chunk, at, row);
  return chunk;
}

function boundsOf(arena: VectorArena, query: Float32Array, rows: Float32Array[]) {
  const lowest: number[] = [];
  const highest: number[] = [];
  const chunk = filled(arena, rows);
  arena.setQuery(query);
  const to = {
    offer(_: number, low: number, high: number) {
      lowest.push(low);
      highest.push(high);
    },
  };
  arena.offer(to, { chunk, rows: rows.length, first: 0 });
  return { lowest, highest };
}

describe('VectorArena', () => {
  it('reuses released chunks and keeps the others when it grows', () => {
    const arena = new VectorArena(4, 1e7);
    const first = arena.allocate();
    arena.write(first, 7, Float32Array.of(1, 2, 3, 4));
    const others = Array.from({ length: 500 }, () => arena.allocate());
    expect(new Set([first, ...others]).size).toBe(501);
    arena.release(others[100]!);
    expect(arena.allocate()).toBe(others[100]);
    expect([...arena.row(first, 7)!]).toEqual([1, 2, 3, 4]);
  });

  it('does not grow without limit', () => {
    const arena = new VectorArena(384, 1e6);
    expect(() => Array.from({ length: 1_000 }, () => arena.allocate())).toThrow(RangeError);
  });
});
