/** Sorted by descending score, then by key. */
export interface Ranked {
  score: number;
  key: string;
}

/** Keeps the best `limit` entries in a heap with the worst on top: most offers cost one comparison. */
export class TopK<Entry extends Ranked> {
  readonly #limit: number;
  readonly #heap: Entry[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Entries below this score cannot enter. */
  get floor(): number {
    return this.#heap.length < this.#limit
      ? Number.NEGATIVE_INFINITY
      : (this.#heap[0]?.score ?? Number.POSITIVE_INFINITY);
  }

  offer(entry: Entry): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push(entry);
      this.#raise(heap.length - 1);
    } else if (heap[0] !== undefined && isBetter(entry, heap[0])) {
      heap[0] = entry;
      this.#sink();
    }
  }

  best(): Entry[] {
    return this.#heap.toSorted((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  #raise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = this.#isWorse(right, left) ? right : left;
      if (!this.#swapIfWorse(child, at)) return;
      at = child;
    }
  }

  #swapIfWorse(lower: number, upper: number): boolean {
    if (!this.#isWorse(lower, upper)) return false;
    const heap = this.#heap;
    [heap[lower], heap[upper]] = [heap[upper] as Entry, heap[lower] as Entry];
    return true;
  }

  #isWorse(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    return first !== undefined && second !== undefined && isBetter(second, first);
  }
}

function isBetter(a: Ranked, b: Ranked): boolean {
  return a.score > b.score || (a.score === b.score && a.key < b.key);
}

/**
 * Collects the slots whose values may be among the `limit` largest, from a lower and an upper bound of each: most offers cost
 * one comparison. NaN is never among them.
 */
export class Candidates {
  /** The largest lower bounds, in a heap with the smallest on top. */
  readonly #floors: Float64Array;
  #floor = Number.NEGATIVE_INFINITY;
  readonly #slots: number[] = [];
  readonly #highest: number[] = [];

  constructor(limit: number) {
    this.#floors = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  }

  offer(slot: number, lowest: number, highest: number): void {
    if (!(highest >= this.#floor)) return;
    this.#slots.push(slot);
    this.#highest.push(highest);
    if (lowest > this.#floor) {
      replaceSmallest(this.#floors, lowest);
      this.#floor = this.#floors[0] ?? Number.POSITIVE_INFINITY;
    }
  }

  /** Ascending, if they were offered so. */
  slots(): number[] {
    return this.#slots.filter((_, at) => (this.#highest[at] as number) >= this.#floor);
  }
}

function replaceSmallest(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if (child >= heap.length || (heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}
