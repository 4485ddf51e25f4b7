/** Reads the values of Kafka's protocol, one after another. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#advance(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#advance(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#advance(4));
  }

  /** Offsets stay far below what a number can hold. */
  int64(): number {
    return Number(this.#bytes.readBigInt64BE(this.#advance(8)));
  }

  skip(count: number): void {
    this.#advance(count);
  }

  /** A length, where −1 stands for nothing, and so many bytes. */
  skipText(): void {
    this.skip(Math.max(this.int16(), 0));
  }

  /** The same bytes, not a copy. */
  take(count: number): Buffer {
    const at = this.#advance(count);
    return this.#bytes.subarray(at, at + count);
  }

  list<Item>(readItem: () => Item): Item[] {
    return Array.from({ length: Math.max(this.int32(), 0) }, readItem);
  }

  #advance(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (count < 0 || this.#at > this.#bytes.length) throw new RangeError('There are fewer bytes than announced');
    return at;
  }
}
