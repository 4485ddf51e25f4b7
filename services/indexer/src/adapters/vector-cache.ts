/** Vectors by text, bounded by bytes; the least recently used go first. */
export class VectorCache {
  readonly #maxBytes: number;
  /** In the order of use, the latest last. */
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text);
    if (!vector) return undefined;
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    return vector;
  }

  set(text: string, vector: Float32Array): void {
    this.#remove(text);
    this.#vectors.set(text, vector);
    this.#bytes += sizeOf(text, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(text: string): void {
    const vector = this.#vectors.get(text);
    if (!vector) return;
    this.#vectors.delete(text);
    this.#bytes -= sizeOf(text, vector);
  }
}

/** Two bytes a character at most, and what an entry costs beside its content, about. */
function sizeOf(text: string, vector: Float32Array): number {
  return 2 * text.length + vector.byteLength + 200;
}
