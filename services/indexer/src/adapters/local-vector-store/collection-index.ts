import { lengthNorm } from '../../domain/words.js';
import { enlarged } from './posting-lists.js';
import { Candidates, type Ranked, TopK } from './top-k.js';
import { chunkRows, type VectorArena } from './vector-arena.js';
import { type DocumentTerms, maxSlots, WordIndex } from './word-index.js';

/** `n` is the insight's number within the collection, ascending. */
export interface IndexEntry {
  n: number;
  key: string;
  vector: Float32Array;
  terms: DocumentTerms;
}

/** Expected size, to allocate up front. */
interface ExpectedSize {
  insights: number;
  /** Distinct terms per insight, summed over all insights. */
  terms: number;
}

export interface IndexHit extends Ranked {
  n: number;
}

/** Reads the vectors of the insights with these numbers, in this order. */
export type ReadVectors = (numbers: number[]) => (Float32Array | undefined)[];

/** Vectors read at once for a compact index. */
const vectorsPerRead = 2_048;

/** Estimated cost of a key. */
const keyBytes = 128;
const holesToRemove = 1_024;

/**
 * The insights of one collection in memory: vectors for the exact scan, words for BM25. Each insight has a slot, in the
 * order of `n`. A removed insight leaves a hole; once a third of the slots are holes, they are removed. A compact index
 * holds the vectors as 8-bit integers only, a quarter of the memory, and reads the few that it compares exactly.
 */
export class CollectionIndex {
  readonly compact: boolean;
  readonly #arena: VectorArena;
  readonly #chunks: number[] = [];
  #words: WordIndex;
  #slots = 0;
  #live = 0;
  #liveWords = 0;
  #keys: (string | undefined)[] = [];
  #numbers: Uint32Array;
  #lengths: Uint32Array;
  #scores = new Float64Array(0);

  constructor(
    arena: VectorArena,
    { insights, terms }: ExpectedSize = { insights: 0, terms: 0 },
    { compact = false } = {},
  ) {
    const room = Math.max(chunkRows, insights);
    this.compact = compact;
    this.#arena = arena;
    this.#words = new WordIndex(terms);
    this.#numbers = new Uint32Array(room);
    this.#lengths = new Uint32Array(room);
  }

  get bytes(): number {
    const columns = this.#numbers.byteLength + this.#lengths.byteLength + this.#scores.byteLength;
    return this.#chunks.length * this.#arena.chunkBytes(this) + columns + this.#slots * keyBytes + this.#words.bytes;
  }

  add({ n, key, vector, terms }: IndexEntry): void {
    const slot = this.#slots;
    if (slot === maxSlots) throw new RangeError('The collection has too many insights for an in-memory index');
    if (slot % chunkRows === 0 && slot / chunkRows === this.#chunks.length) {
      this.#chunks.push(this.#arena.allocate(this));
    }
    if (slot === this.#numbers.length) this.#enlarge();
    this.#arena.write(this.#chunkOf(slot), slot % chunkRows, vector);
    this.#numbers[slot] = n;
    this.#lengths[slot] = terms[1] as number;
    this.#keys[slot] = key;
    this.#words.add(slot, terms);
    this.#slots++;
    this.#live++;
    this.#liveWords += terms[1] as number;
  }

  /** `terms` must be those the insight was added with. */
  remove(n: number, terms: DocumentTerms): void {
    const slot = this.#slotOf(n);
    if (slot < 0) return;
    this.#keys[slot] = undefined;
    this.#arena.clear(this.#chunkOf(slot), slot % chunkRows);
    this.#words.remove(terms);
    this.#live--;
    this.#liveWords -= terms[1] as number;
    const holes = this.#slots - this.#live;
    if (holes > holesToRemove && holes * 3 > this.#slots) this.#removeHoles();
  }

  /**
   * Exact: skips a row if `limit` others have lower bounds above its upper bound, and computes the cosine of the
   * remaining rows in double precision.
   */
  searchByVector(query: Float32Array, limit: number, read: ReadVectors): IndexHit[] {
    const candidates = new Candidates(limit);
    this.#arena.setQuery(query);
    for (const [index, chunk] of this.#chunks.entries()) {
      const first = index * chunkRows;
      const rows = Math.min(chunkRows, this.#slots - first);
      if (rows > 0) this.#arena.offer(candidates, { chunk, rows, first });
    }
    const top = new TopK<IndexHit>(limit);
    for (const [slot, score] of this.#cosines(candidates.slots(), read)) {
      top.offer({ score, key: this.#keys[slot] as string, n: this.#numbers[slot] as number });
    }
    return top.best();
  }

  searchByWords(query: DocumentTerms, limit: number): IndexHit[] {
    if (this.#scores.length < this.#slots) this.#scores = new Float64Array(this.#numbers.length);
    const scores = this.#scores;
    const norm = lengthNorm(this.#live, this.#liveWords);
    this.#words.score(query, this.#live, this.#lengths, norm, scores);
    const top = new TopK<IndexHit>(limit);
    let floor = Number.MIN_VALUE;
    for (let slot = 0; slot < this.#slots; slot++) {
      const score = scores[slot] as number;
      if (score < floor) continue;
      const key = this.#keys[slot];
      if (key === undefined) continue;
      top.offer({ score, key, n: this.#numbers[slot] as number });
      floor = Math.max(floor, top.floor);
    }
    scores.fill(0, 0, this.#slots);
    return top.best();
  }

  /** Of insights by number; `undefined` where there is no such insight. */
  similarities(numbers: readonly number[], query: Float32Array, read: ReadVectors): (number | undefined)[] {
    this.#arena.setQuery(query);
    const slots = numbers.map((n) => this.#slotOf(n));
    const cosines = new Map(
      this.#cosines(
        slots.filter((slot) => slot >= 0),
        read,
      ),
    );
    return slots.map((slot) => cosines.get(slot));
  }

  /** Releases the memory of the vectors; do not use the index afterwards. */
  dispose(): void {
    for (const chunk of this.#chunks.splice(0)) this.#arena.release(chunk);
  }

  *#cosines(slots: number[], read: ReadVectors): Generator<[slot: number, cosine: number]> {
    for (let at = 0; at < slots.length; at += vectorsPerRead) {
      const some = slots.slice(at, at + vectorsPerRead);
      const vectors = this.compact ? read(some.map((slot) => this.#numbers[slot] as number)) : undefined;
      for (const [place, slot] of some.entries()) {
        const vector = vectors ? vectors[place] : this.#arena.row(this.#chunkOf(slot), slot % chunkRows);
        if (vector) yield [slot, this.#arena.cosine(vector)];
      }
    }
  }

  #chunkOf(slot: number): number {
    return this.#chunks[Math.floor(slot / chunkRows)] as number;
  }

  #slotOf(n: number): number {
    let low = 0;
    let high = this.#slots - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.#numbers[middle] as number;
      if (there === n) return this.#keys[middle] === undefined ? -1 : middle;
      if (there < n) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #removeHoles(): void {
    const newSlots = new Int32Array(this.#slots).fill(-1);
    let kept = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#keys[slot] === undefined) continue;
      newSlots[slot] = kept;
      if (kept !== slot) this.#moveSlot(slot, kept);
      kept++;
    }
    this.#slots = kept;
    this.#keys.length = kept;
    for (const chunk of this.#chunks.splice(Math.ceil(kept / chunkRows))) this.#arena.release(chunk);
    this.#words = this.#words.compacted(newSlots);
  }

  #moveSlot(from: number, to: number): void {
    const place = (slot: number) => ({ chunk: this.#chunkOf(slot), row: slot % chunkRows });
    this.#arena.move(place(from), place(to));
    this.#numbers[to] = this.#numbers[from] as number;
    this.#lengths[to] = this.#lengths[from] as number;
    this.#keys[to] = this.#keys[from];
  }

  #enlarge(): void {
    const length = Math.ceil((this.#numbers.length * 1.5) / chunkRows) * chunkRows;
    this.#numbers = enlarged(this.#numbers, length);
    this.#lengths = enlarged(this.#lengths, length);
  }
}
