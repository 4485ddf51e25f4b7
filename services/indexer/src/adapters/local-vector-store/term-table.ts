const absent = -1;

/** Numbers the terms of a collection 0, 1, 2, … by their hash: open addressing in typed arrays, no string kept. */
export class TermTable {
  #size = 0;
  /** Term number + 1 by place; 0: free. At most half full. */
  #places = new Uint32Array(256);
  #lows = new Uint32Array(128);
  #highs = new Uint32Array(128);

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#places.byteLength + this.#lows.byteLength + this.#highs.byteLength;
  }

  /** The term's number, or -1. */
  find(low: number, high: number): number {
    const place = this.#placeOf(low, high);
    return (this.#places[place] as number) - 1;
  }

  /** The term's number, a new one where it has none. */
  number(low: number, high: number): number {
    const place = this.#placeOf(low, high);
    const known = (this.#places[place] as number) - 1;
    if (known !== absent) return known;
    this.#lows[this.#size] = low;
    this.#highs[this.#size] = high;
    this.#places[place] = ++this.#size;
    if (this.#size === this.#lows.length) this.#enlarge();
    return this.#size - 1;
  }

  low(term: number): number {
    return this.#lows[term] as number;
  }

  high(term: number): number {
    return this.#highs[term] as number;
  }

  #placeOf(low: number, high: number): number {
    const mask = this.#places.length - 1;
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const term = (this.#places[place] as number) - 1;
      if (term === absent || (this.#lows[term] === low && this.#highs[term] === high)) return place;
    }
  }

  #enlarge(): void {
    this.#lows = enlarged(this.#lows, 2 * this.#lows.length);
    this.#highs = enlarged(this.#highs, 2 * this.#highs.length);
    this.#places = new Uint32Array(2 * this.#places.length);
    for (let term = 0; term < this.#size; term++) {
      this.#places[this.#placeOf(this.low(term), this.high(term))] = term + 1;
    }
  }
}

/** The same numbers with room for more. */
export function enlarged(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(numbers);
  return larger;
}
