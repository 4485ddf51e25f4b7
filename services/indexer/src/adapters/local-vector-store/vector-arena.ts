import { cosine } from '../../domain/intent/similarity.js';
import { kernelModule } from './kernel-module.js';

export const chunkRows = 32;

interface Bounded {
  offer(slot: number, lowest: number, highest: number): void;
}

const wasmPage = 65_536;
/** Chunks added per growth of the memory. */
const growthChunks = 128;

/**
 * The vectors of all collections in memory, in chunks of 32 rows. A search reads the 8-bit integers and the factor of
 * every row (see `Kernel`): they are contiguous in one WebAssembly memory, where the kernel reads them in place. The
 * float rows, of which a search reads only a few, are stored separately, or not at all. The WebAssembly memory only
 * grows; released chunks are reused. Layout: the query as integers, the products of one chunk, the query and one row as
 * floats, then the chunks.
 */
export class VectorArena {
  readonly #dimension: number;
  readonly #strideBytes: number;
  readonly #scannedBytes: number;
  readonly #floatBytes: number;
  readonly #productsAt: number;
  readonly #queryAt: number;
  readonly #rowAt: number;
  readonly #chunksAt: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #free: number[] = [];
  /** By chunk, if it has them. */
  readonly #rows: (Float32Array | undefined)[] = [];
  #chunks = 0;
  #bytes: Int8Array;
  #products: Int32Array;
  #floats: Float32Array;
  #tolerance = 0;
  #queryLength = 0;

  constructor(dimension: number, maxBytes: number, kernel: (memory: WebAssembly.Memory) => Kernel = createKernel) {
    this.#dimension = dimension;
    this.#strideBytes = Math.ceil(dimension / rowAlignment) * rowAlignment;
    this.#scannedBytes = chunkRows * (this.#strideBytes + 4);
    this.#floatBytes = chunkRows * 4 * dimension;
    this.#productsAt = 2 * this.#strideBytes;
    this.#queryAt = this.#productsAt + chunkRows * 4;
    this.#rowAt = this.#queryAt + 4 * this.#strideBytes;
    this.#chunksAt = this.#rowAt + 4 * this.#strideBytes;
    const pagesFor = (bytes: number) => Math.ceil(bytes / wasmPage);
    const mostChunks = Math.ceil(maxBytes / this.#scannedBytes) + growthChunks + 1;
    this.#memory = new WebAssembly.Memory({
      initial: pagesFor(this.#chunksAt),
      maximum: Math.min(wasmPage, pagesFor(this.#chunksAt + mostChunks * this.#scannedBytes)),
    });
    this.#kernel = kernel(this.#memory);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#products = new Int32Array(this.#memory.buffer, this.#productsAt, chunkRows);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** With float rows unless it is compact. Throws a RangeError if the memory cannot grow further. */
  allocate({ compact = false } = {}): number {
    if (this.#free.length === 0) this.#grow();
    const chunk = this.#free.pop() as number;
    this.#rows[chunk] = compact ? undefined : new Float32Array(chunkRows * this.#dimension);
    return chunk;
  }

  chunkBytes({ compact = false } = {}): number {
    return this.#scannedBytes + (compact ? 0 : this.#floatBytes);
  }

  release(chunk: number): void {
    this.#rows[chunk] = undefined;
    this.#free.push(chunk);
  }

  write(chunk: number, row: number, vector: Float32Array): void {
    this.#floats.set(vector, this.#rowAt / 4);
    const integersAt = this.#integersAt(chunk) + row * this.#strideBytes;
    const factor = this.#kernel.quantise(this.#rowAt, integersAt, 4 * this.#strideBytes);
    this.#floats[this.#factorsAt(chunk) / 4 + row] = factor;
    this.row(chunk, row)?.set(vector);
  }

  /** No search finds the row any more. */
  clear(chunk: number, row: number): void {
    this.#floats[this.#factorsAt(chunk) / 4 + row] = Number.NaN;
  }

  move(from: { chunk: number; row: number }, to: { chunk: number; row: number }): void {
    const start = this.#integersAt(from.chunk) + from.row * this.#strideBytes;
    this.#bytes.copyWithin(this.#integersAt(to.chunk) + to.row * this.#strideBytes, start, start + this.#strideBytes);
    const factor = this.#floats[this.#factorsAt(from.chunk) / 4 + from.row] as number;
    this.#floats[this.#factorsAt(to.chunk) / 4 + to.row] = factor;
    const floats = this.row(from.chunk, from.row);
    if (floats) this.row(to.chunk, to.row)?.set(floats);
  }

  /** A view: later writes show in it. `undefined` if the chunk is compact. */
  row(chunk: number, row: number): Float32Array | undefined {
    const start = row * this.#dimension;
    return this.#rows[chunk]?.subarray(start, start + this.#dimension);
  }

  /** Sets the query for `offer` and `cosine`. */
  setQuery(vector: Float32Array): void {
    this.#tolerance = quantiseQuery(vector, new Int16Array(this.#memory.buffer, 0, this.#dimension));
    this.#floats.set(vector, this.#queryAt / 4);
    this.#queryLength = lengthOf(vector);
  }

  /** Between the query and a vector, in double precision; 0 if one is zero. */
  cosine(vector: Float32Array): number {
    if (this.#queryLength === 0) return 0;
    this.#floats.set(vector, this.#rowAt / 4);
    const projected = this.#kernel.project(this.#queryAt, this.#rowAt, 4 * this.#strideBytes);
    return Math.max(-1, Math.min(1, projected / this.#queryLength));
  }

  /**
   * Offers the first rows of a chunk, numbered from `first` on, with bounds of their cosines with the query, times a factor
   * common to all rows. Of a cleared row they are NaN.
   */
  offer(to: Bounded, { chunk, rows, first }: { chunk: number; rows: number; first: number }): void {
    this.#kernel.dotProducts(0, this.#integersAt(chunk), rows, this.#strideBytes, this.#productsAt);
    const factors = this.#factorsAt(chunk) / 4;
    for (let row = 0; row < rows; row++) {
      const product = this.#products[row] as number;
      const factor = this.#floats[factors + row] as number;
      to.offer(first + row, (product - this.#tolerance) * factor, (product + this.#tolerance) * factor);
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

/** The largest value of a row of 8-bit integers; -128 is not used. */
const rowLevels = 127;

function quantiseRow(row: Float32Array, into: Int8Array): number {
  let largest = 0;
  for (const value of row) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) {
    into.fill(0);
    return 0;
  }
  const perStep = rowLevels / largest;
  for (let i = 0; i < row.length; i++) into[i] = Math.round((row[i] as number) * perStep);
  return largest / rowLevels / lengthOf(row);
}

const largestInt16 = 32_767;
const largestInt32 = 2 ** 31 - 1;

/**
 * Covers single-precision rounding, at most 2⁻²³ of a cosine: the tolerance is at least 1 / (254 √dimension), and one
 * percent of that is more for up to 65,536 dimensions.
 */
const roundingSlack = 1.01;

/**
 * Writes the query as 16-bit integers and returns the maximum error of its integer product with a quantised row.
 *
 * In steps, the query is v = w + f with w whole and the row is x = y + e with y whole, |y| ≤ 127 and |e| ≤ ½. Then v·x
 * − w·y = v·e + f·y, and so |v·x − w·y| ≤ Σ (½|v| + 127|f|), for any row.
 */
function quantiseQuery(query: Float32Array, into: Int16Array): number {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) {
    into.fill(0);
    return 1;
  }
  const perStep = queryLevels(query.length) / largest;
  let tolerance = 0;
  for (let i = 0; i < query.length; i++) {
    const value = (query[i] as number) * perStep;
    const whole = Math.round(value);
    into[i] = whole;
    tolerance += Math.abs(value) / 2 + rowLevels * Math.abs(value - whole);
  }
  return tolerance * roundingSlack;
}

/** As fine as 16 bits allow while the largest possible product fits into 32. */
function queryLevels(dimension: number): number {
  return Math.min(largestInt16, Math.floor(largestInt32 / (rowLevels * dimension)));
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

/** All positions are byte addresses in the memory. */
interface Kernel {
  /** Writes the products of a query (16-bit integers) with `count` rows (8-bit) into `products` (32-bit). */
  dotProducts(query: number, rows: number, count: number, strideBytes: number, products: number): void;
  /**
   * Writes a row of floats as 8-bit integers in steps of its largest value / 127, so each is off by at most half a step.
   * Returns the step relative to the row's length: it turns an integer product into a cosine, up to a factor of the query. It
   * is infinite where the values are too small for that, so that the bounds exclude nothing.
   */
  quantise(row: number, into: number, sizeBytes: number): number;
  /** The dot product of two vectors of floats, divided by the length of the second; 0 if that has none. */
  project(a: number, b: number, sizeBytes: number): number;
}

/** Rows are padded to this many bytes, which the kernel processes at a time. */
const rowAlignment = 32;

/** The SIMD kernel, or plain loops if the engine lacks SIMD. */
export function createKernel(memory: WebAssembly.Memory): Kernel {
  const bytes = Buffer.from(kernelModule, 'base64');
  if (!WebAssembly.validate(bytes)) return createPlainKernel(memory);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { whetstone: { memory } });
  return exports as unknown as Kernel;
}

export function createPlainKernel(memory: WebAssembly.Memory): Kernel {
  return {
    dotProducts(query, rows, count, strideBytes, products) {
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
    },
    quantise(row, into, sizeBytes) {
      const size = sizeBytes / 4;
      return quantiseRow(new Float32Array(memory.buffer, row, size), new Int8Array(memory.buffer, into, size));
    },
    project(a, b, sizeBytes) {
      const [first, second] = [a, b].map((at) => new Float32Array(memory.buffer, at, sizeBytes / 4));
      return cosine(first as Float32Array, second as Float32Array) * lengthOf(first as Float32Array);
    },
  };
}
