import { CollectionIndex } from './collection-index.js';
import type { CollectionRecord } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
import type { Sweep } from './sweep-insights.js';
import { chunkRows, type VectorArena } from './vector-arena.js';

interface Cached {
  index: CollectionIndex;
  /** Version of the collection that the index reflects; while it is being read in, of its first part. */
  nextN: number;
  removals: number;
}

/** Insights read in at once; the rest with the next calls. */
const partInsights = 1_024;

/** Upper estimates: bytes per insight besides its vector, and per distinct term of an insight. */
const insightBytes = 192;
const termBytes = 8;

/**
 * In-memory indexes of collections within a byte budget; evicts the least recently used. The index of a collection that
 * does not fit otherwise is compact. An index follows the writes of its own process and detects those of other processes
 * by the collection's version, compared on every use: additions are read in, a removal rebuilds the index.
 */
export class CollectionCache {
  readonly #arena: VectorArena;
  readonly #maxBytes: number;
  readonly #sweep: Sweep;
  /** Least recently used first. */
  readonly #cached = new Map<string, Cached>();
  /** The collection that is read in part by part. Two large ones at once could need twice the budget. */
  #reading: string | undefined;

  constructor(arena: VectorArena, maxBytes: number, sweep: Sweep) {
    this.#arena = arena;
    this.#maxBytes = maxBytes;
    this.#sweep = sweep;
  }

  /**
   * The index at this version, or `reading` if it takes more calls until it is there; `undefined` if the collection alone
   * exceeds the budget.
   */
  use(collection: CollectionRecord): CollectionIndex | 'reading' | undefined {
    const cached = this.#cached.get(collection.id);
    if (cached?.removals === collection.removals && cached.nextN === collection.next_n) {
      this.#touch(collection.id, cached);
      return cached.index;
    }
    const isLarge = collection.insight_count > partInsights;
    if (isLarge && this.#reading !== undefined && this.#reading !== collection.id) return 'reading';
    const isCurrent = cached?.removals === collection.removals && this.#fits(collection, cached.index);
    const current = isCurrent ? cached : this.#fresh(collection);
    if (!current) return undefined;
    this.#touch(collection.id, current);
    if (isLarge) this.#reading = collection.id;
    if (!this.#change(collection.id, () => this.#readPart(collection, current))) return undefined;
    if (current.nextN < collection.next_n) return 'reading';
    this.stopReading(collection.id);
    return current.index;
  }

  /** Lets another collection be read in. */
  stopReading(id: string): void {
    if (this.#reading === id) this.#reading = undefined;
  }

  /** Applies a committed write, if the index reflects the removals before it. */
  apply({ before, after, removed, added }: CollectionChange): void {
    const cached = this.#cached.get(before.id);
    if (cached?.removals !== before.removals) return;
    if (!this.#fits(after, cached.index)) {
      this.#drop(before.id);
      return;
    }
    this.#change(before.id, () => {
      for (const { n, terms } of removed) cached.index.remove(n, terms);
      cached.removals = after.removals;
      // Otherwise they are read in later, with what is missing before them.
      if (cached.nextN !== before.next_n) return;
      for (const entry of added) cached.index.add(entry);
      cached.nextN = after.next_n;
    });
  }

  /** Returns false and drops the index if memory cannot grow; the collection is then searched on disk. */
  #change(id: string, work: () => void): boolean {
    try {
      work();
    } catch (error) {
      this.#drop(id);
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
    this.#makeRoom(0, id);
    return true;
  }

  #fresh(collection: CollectionRecord): Cached | undefined {
    this.#drop(collection.id);
    const form = [{ compact: false }, { compact: true }].find((one) => this.#fits(collection, one));
    if (!form) return undefined;
    this.#makeRoom(this.#neededBytes(collection, form), collection.id);
    const { insight_count: insights, term_count: terms, removals } = collection;
    return { index: new CollectionIndex(this.#arena, { insights, terms }, form), nextN: 1, removals };
  }

  #fits(collection: CollectionRecord, form: { compact: boolean }): boolean {
    return this.#neededBytes(collection, form) <= this.#maxBytes;
  }

  #readPart(collection: CollectionRecord, cached: Cached): void {
    let left = partInsights;
    for (const entry of this.#sweep.all(collection.no, cached.nextN)) {
      cached.index.add(entry);
      cached.nextN = entry.n + 1;
      if (--left === 0) return;
    }
    cached.nextN = collection.next_n;
  }

  #makeRoom(bytes: number, keep: string): void {
    let used = bytes;
    for (const { index } of this.#cached.values()) used += index.bytes;
    for (const [id, { index }] of this.#cached) {
      if (used <= this.#maxBytes) return;
      if (id === keep || id === this.#reading) continue;
      used -= index.bytes;
      this.#drop(id);
    }
  }

  #neededBytes({ insight_count: insights, term_count: terms }: CollectionRecord, form: { compact: boolean }): number {
    return insights * (this.#arena.chunkBytes(form) / chunkRows + insightBytes) + terms * termBytes;
  }

  #touch(id: string, cached: Cached): void {
    this.#cached.delete(id);
    this.#cached.set(id, cached);
  }

  #drop(id: string): void {
    this.stopReading(id);
    this.#cached.get(id)?.index.dispose();
    this.#cached.delete(id);
  }
}
