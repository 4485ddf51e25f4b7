import { createDotProducts, type DotProducts, rowAlignment } from './dot-products.js';
import { quantiseQuery } from './quantise-query.js';
import { quantiseRow } from './quantise-row.js';

export const chunkRows = 32;

const wasmPage = 65_536;
/** Chunks by which the memory grows at a time. */
const growthChunks = 128;

/**
 * All vectors of all collections in memory, in chunks of 32 rows. What a search reads of every row, its 8-bit integers and its
 * factor (see `quantiseRow`), lies close together inside one WebAssembly memory, so that the kernel reads it where it is; the
 * rows themselves, of which a search reads a few, lie apart. Memory only grows; chunks that were given back are used again.
 * Layout: the query and the products of one chunk, then the chunks.
 */
export class VectorArena {
  readonly chunkBytes: number;
  readonly #dimension: number;
  readonly #strideBytes: number;
  readonly #scannedBytes: number;
  readonly #productsAt: number;
  readonly #chunksAt: number;
  readonly #memory: WebAssembly.Memory;
  readonly #dotProducts: DotProducts;
  readonly #free: number[] = [];
  /** By chunk; none where it was never used. */
  readonly #rows: Float32Array[] = [];
  #chunks = 0;
  #bytes: Int8Array;
  #products: Int32Array;
  #floats: Float32Array;
  #tolerance = 0;

  constructor(
    dimension: number,
    maxBytes: number,
    kernel: (memory: WebAssembly.Memory) => DotProducts = createDotProducts,
  ) {
    this.#dimension = dimension;
    this.#strideBytes = Math.ceil(dimension / rowAlignment) * rowAlignment;
    this.#scannedBytes = chunkRows * (this.#strideBytes + 4);
    this.chunkBytes = this.#scannedBytes + chunkRows * 4 * dimension;
    this.#productsAt = 2 * this.#strideBytes;
    this.#chunksAt = this.#productsAt + chunkRows * 4;
    const pagesFor = (bytes: number) => Math.ceil(bytes / wasmPage);
    const mostChunks = Math.ceil(maxBytes / this.chunkBytes) + growthChunks + 1;
    this.#memory = new WebAssembly.Memory({
      initial: pagesFor(this.#chunksAt),
      maximum: Math.min(wasmPage, pagesFor(this.#chunksAt + mostChunks * this.#scannedBytes)),
    });
    this.#dotProducts = kernel(this.#memory);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#products = new Int32Array(this.#memory.buffer, this.#productsAt, chunkRows);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** Throws a RangeError where the memory may not grow any more. */
  allocate(): number {
    if (this.#free.length === 0) this.#grow();
    const chunk = this.#free.pop() as number;
    this.#rows[chunk] ??= new Float32Array(chunkRows * this.#dimension);
    return chunk;
  }

  get rowBytes(): number {
    return this.chunkBytes / chunkRows;
  }

  release(chunk: number): void {
    this.#free.push(chunk);
  }

  write(chunk: number, row: number, vector: Float32Array): void {
    const start = this.#integersAt(chunk) + row * this.#strideBytes;
    const integers = this.#bytes.subarray(start, start + this.#dimension);
    this.#floats[this.#factorsAt(chunk) / 4 + row] = quantiseRow(vector, integers);
    this.row(chunk, row).set(vector);
  }

  /** A view; what is written there later shows in it. */
  row(chunk: number, row: number): Float32Array {
    const start = row * this.#dimension;
    return (this.#rows[chunk] as Float32Array).subarray(start, start + this.#dimension);
  }

  /** Sets what `bounds` compares with. */
  setQuery(vector: Float32Array): void {
    this.#tolerance = quantiseQuery(vector, new Int16Array(this.#memory.buffer, 0, this.#dimension));
  }

  /**
   * Between what the first rows of a chunk have as their cosine with the query, times a factor that is the same for all
   * rows; written from place `at` on.
   */
  bounds(chunk: number, rows: number, lowest: Float32Array, highest: Float32Array, at: number): void {
    this.#dotProducts(0, this.#integersAt(chunk), rows, this.#strideBytes, this.#productsAt);
    const factors = this.#factorsAt(chunk) / 4;
    for (let row = 0; row < rows; row++) {
      const product = this.#products[row] as number;
      const factor = this.#floats[factors + row] as number;
      lowest[at + row] = (product - this.#tolerance) * factor;
      highest[at + row] = (product + this.#tolerance) * factor;
    }
  }

  #integersAt(chunk: number): number {
    return this.#chunksAt + chunk * this.#scannedBytes;
  }

  #factorsAt(chunk: number): number {
    return this.#integersAt(chunk) + chunkRows * this.#strideBytes;
  }

  #grow(): void {
    const chunks = this.#chunks + growthChunks;
    const bytes = this.#chunksAt + chunks * this.#scannedBytes;
    this.#memory.grow(Math.ceil(bytes / wasmPage) - this.#memory.buffer.byteLength / wasmPage);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#products = new Int32Array(this.#memory.buffer, this.#productsAt, chunkRows);
    this.#floats = new Float32Array(this.#memory.buffer);
    for (let chunk = chunks - 1; chunk >= this.#chunks; chunk--) this.#free.push(chunk);
    this.#chunks = chunks;
  }
}
