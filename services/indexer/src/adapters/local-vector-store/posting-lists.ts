import { enlarged } from './term-table.js';

const smallestLog = 1;
/** A list of any length is on average three quarters full; and some places wait for another list. */
const roomPerNumber = 1.5;

/**
 * One growing list of numbers per term, all in one array. A list that is full moves to a place of twice the size, and its
 * old place serves the next list of that size: every list stays in one piece, and at most half of the room is unused.
 */
export class PostingLists {
  #numbers: Uint32Array;
  #used = 0;
  #starts = new Uint32Array(128);
  #lengths = new Uint32Array(128);
  #roomLogs = new Uint8Array(128);
  readonly #free: number[][] = [];

  /** `expected`: about how many numbers there will be. */
  constructor(expected: number) {
    this.#numbers = new Uint32Array(Math.max(1_024, Math.ceil(expected * roomPerNumber)));
  }

  get bytes(): number {
    return this.#numbers.byteLength + 9 * this.#starts.length;
  }

  append(list: number, number: number): void {
    if (list >= this.#starts.length) this.#addLists(list);
    const length = this.#lengths[list] as number;
    const log = this.#roomLogs[list] as number;
    if (log === 0 || length === 1 << log) this.#move(list, length, log === 0 ? smallestLog : log + 1, log);
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
    this.#roomLogs[list] = log;
  }

  #take(log: number): number {
    const freed = this.#freeOf(log).pop();
    if (freed !== undefined) return freed;
    const start = this.#used;
    this.#used += 1 << log;
    while (this.#used > this.#numbers.length)
      this.#numbers = enlarged(this.#numbers, roomierThan(this.#numbers.length));
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
    logs.set(this.#roomLogs);
    this.#roomLogs = logs;
  }
}

/** Doubling wastes half of a large array. */
function roomierThan(length: number): number {
  return length < 1 << 20 ? 2 * length : Math.ceil(length * 1.25);
}
