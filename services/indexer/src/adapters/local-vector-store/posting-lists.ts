const minLog = 1;
/** Lists are three quarters full on average, and some freed ranges are unused. */
const capacityFactor = 1.5;

/**
 * One growing list of numbers per term, all in one array. A full list moves to a range of twice the size, and its old
 * range is reused: every list stays contiguous, and at most half of the space is unused.
 */
export class PostingLists {
  #numbers: Uint32Array;
  #used = 0;
  #starts = new Uint32Array(128);
  #lengths = new Uint32Array(128);
  #capacityLogs = new Uint8Array(128);
  readonly #free: number[][] = [];

  /** `expected`: approximate total of numbers. */
  constructor(expected: number) {
    this.#numbers = new Uint32Array(Math.max(1_024, Math.ceil(expected * capacityFactor)));
  }

  get bytes(): number {
    return this.#numbers.byteLength + 9 * this.#starts.length;
  }

  append(list: number, number: number): void {
    if (list >= this.#starts.length) this.#addLists(list);
    const length = this.#lengths[list] as number;
    const log = this.#capacityLogs[list] as number;
    if (log === 0 || length === 1 << log) this.#move(list, length, log === 0 ? minLog : log + 1, log);
    this.#numbers[(this.#starts[list] as number) + length] = number;
    this.#lengths[list] = length + 1;
  }

  /** A view, valid until the next `append`. */
  read(list: number): Uint32Array {
    const start = this.#starts[list] ?? 0;
    return this.#numbers.subarray(start, start + (this.#lengths[list] ?? 0));
  }

  #move(list: number, length: number, log: number, oldLog: number): void {
    const start = this.#take(log);
    const old = this.#starts[list] as number;
    this.#numbers.copyWithin(start, old, old + length);
    if (oldLog > 0) this.#freeOf(oldLog).push(old);
    this.#starts[list] = start;
    this.#capacityLogs[list] = log;
  }

  #take(log: number): number {
    const freed = this.#freeOf(log).pop();
    if (freed !== undefined) return freed;
    const start = this.#used;
    this.#used += 1 << log;
    while (this.#used > this.#numbers.length) this.#numbers = enlarged(this.#numbers, largerSize(this.#numbers.length));
    return start;
  }

  #freeOf(log: number): number[] {
    this.#free[log] ??= [];
    return this.#free[log];
  }

  #addLists(list: number): void {
    const length = Math.max(2 * this.#starts.length, list + 1);
    this.#starts = enlarged(this.#starts, length);
    this.#lengths = enlarged(this.#lengths, length);
    const logs = new Uint8Array(length);
    logs.set(this.#capacityLogs);
    this.#capacityLogs = logs;
  }
}

/** Doubling would waste half of a large array. */
function largerSize(length: number): number {
  return length < 1 << 20 ? 2 * length : Math.ceil(length * 1.25);
}

const absent = -1;

/** Numbers the terms of a collection from 0 by their hash: open addressing in typed arrays, without strings. */
export class TermTable {
  #size = 0;
  /** Term number + 1 by bucket; 0: free. At most half full. */
  #buckets = new Uint32Array(256);
  #lows = new Uint32Array(128);
  #highs = new Uint32Array(128);

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#buckets.byteLength + this.#lows.byteLength + this.#highs.byteLength;
  }

  /** The term's number, or -1. */
  find(low: number, high: number): number {
    const bucket = this.#bucketOf(low, high);
    return (this.#buckets[bucket] as number) - 1;
  }

  /** The term's number; assigns one if it has none. */
  number(low: number, high: number): number {
    const bucket = this.#bucketOf(low, high);
    const known = (this.#buckets[bucket] as number) - 1;
    if (known !== absent) return known;
    this.#lows[this.#size] = low;
    this.#highs[this.#size] = high;
    this.#buckets[bucket] = ++this.#size;
    if (this.#size === this.#lows.length) this.#enlarge();
    return this.#size - 1;
  }

  low(term: number): number {
    return this.#lows[term] as number;
  }

  high(term: number): number {
    return this.#highs[term] as number;
  }

  #bucketOf(low: number, high: number): number {
    const mask = this.#buckets.length - 1;
    for (let bucket = low & mask; ; bucket = (bucket + 1) & mask) {
      const term = (this.#buckets[bucket] as number) - 1;
      if (term === absent || (this.#lows[term] === low && this.#highs[term] === high)) return bucket;
    }
  }

  #enlarge(): void {
    this.#lows = enlarged(this.#lows, 2 * this.#lows.length);
    this.#highs = enlarged(this.#highs, 2 * this.#highs.length);
    this.#buckets = new Uint32Array(2 * this.#buckets.length);
    for (let term = 0; term < this.#size; term++) {
      this.#buckets[this.#bucketOf(this.low(term), this.high(term))] = term + 1;
    }
  }
}

/** Copies into a larger array. */
export function enlarged(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(numbers);
  return larger;
}
