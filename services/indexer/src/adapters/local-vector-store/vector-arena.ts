import { createDotProducts, type DotProducts, rowAlignment } from './dot-products.js';

export const chunkRows = 32;

const wasmPage = 65_536;
/** Chunks by which the memory grows at a time. */
const growthChunks = 128;

/**
 * All vectors of all collections in memory: chunks of 32 rows inside one WebAssembly memory, so that the kernel reads them
 * where they are. The memory only grows; chunks that were given back are used again. Layout: the query, the products of
 * one chunk, then the chunks.
 */
export class VectorArena {
  readonly chunkBytes: number;
  readonly #dimension: number;
  readonly #strideBytes: number;
  readonly #productsAt: number;
  readonly #chunksAt: number;
  readonly #memory: WebAssembly.Memory;
  readonly #dotProducts: DotProducts;
  readonly #free: number[] = [];
  #chunks = 0;
  #floats: Float32Array;

  constructor(
    dimension: number,
    maxBytes: number,
    kernel: (memory: WebAssembly.Memory) => DotProducts = createDotProducts,
  ) {
    this.#dimension = dimension;
    this.#strideBytes = Math.ceil((dimension * 4) / rowAlignment) * rowAlignment;
    this.chunkBytes = this.#strideBytes * chunkRows;
    this.#productsAt = this.#strideBytes;
    this.#chunksAt = this.#productsAt + chunkRows * 4;
    const pagesFor = (bytes: number) => Math.ceil(bytes / wasmPage);
    const slack = this.#chunksAt + (growthChunks + 1) * this.chunkBytes;
    this.#memory = new WebAssembly.Memory({
      initial: pagesFor(this.#chunksAt),
      maximum: Math.min(wasmPage, pagesFor(maxBytes + slack)),
    });
    this.#dotProducts = kernel(this.#memory);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** Throws a RangeError where the memory may not grow any more. */
  allocate(): number {
    const chunk = this.#free.pop();
    if (chunk !== undefined) return chunk;
    this.#grow();
    return this.allocate();
  }

  get rowBytes(): number {
    return this.#strideBytes;
  }

  release(chunk: number): void {
    this.#free.push(chunk);
  }

  /** Rows lie in the bytes one after another, without padding. */
  write(chunk: number, firstRow: number, rows: Float32Array): void {
    const { start, stride } = this.#place(chunk, firstRow);
    if (stride === this.#dimension) {
      this.#floats.set(rows, start);
      return;
    }
    for (let row = 0; row * this.#dimension < rows.length; row++) {
      const at = start + row * stride;
      this.#floats.set(rows.subarray(row * this.#dimension, (row + 1) * this.#dimension), at);
      this.#floats.fill(0, at + this.#dimension, at + stride);
    }
  }

  /** A view, valid until the next `allocate`. */
  row(chunk: number, row: number): Float32Array {
    const { start } = this.#place(chunk, row);
    return this.#floats.subarray(start, start + this.#dimension);
  }

  /** Sets what `products` multiplies with. */
  setQuery(vector: Float32Array): void {
    this.#floats.fill(0, 0, this.#strideBytes / 4);
    this.#floats.set(vector, 0);
  }

  /** The query's products with the first rows of a chunk; a view that the next call overwrites. */
  products(chunk: number, rows: number): Float32Array {
    this.#dotProducts(0, this.#chunksAt + chunk * this.chunkBytes, rows, this.#strideBytes, this.#productsAt);
    return this.#floats.subarray(this.#productsAt / 4, this.#productsAt / 4 + rows);
  }

  #place(chunk: number, row: number): { start: number; stride: number } {
    const stride = this.#strideBytes / 4;
    return { start: (this.#chunksAt + chunk * this.chunkBytes) / 4 + row * stride, stride };
  }

  #grow(): void {
    const chunks = this.#chunks + growthChunks;
    const bytes = this.#chunksAt + chunks * this.chunkBytes;
    this.#memory.grow(Math.ceil(bytes / wasmPage) - this.#memory.buffer.byteLength / wasmPage);
    this.#floats = new Float32Array(this.#memory.buffer);
    for (let chunk = chunks - 1; chunk >= this.#chunks; chunk--) this.#free.push(chunk);
    this.#chunks = chunks;
  }
}
