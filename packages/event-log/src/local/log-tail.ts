import type { Bounds, EventReader } from './event-reader.js';
import type { PartitionEnds } from './event-writer.js';

export interface LogTailOptions {
  reader: EventReader;
  nowMs(): number;
  pollMs: number;
}

/**
 * Knows where the partitions end, and tells whoever reads. What this process appends is told at once; what another process
 * (the command line) appends is noticed by a look at the file's version, a few microseconds several times a second, and
 * only while somebody reads.
 */
export class LogTail {
  readonly #reader: EventReader;
  readonly #nowMs: () => number;
  readonly #pollMs: number;
  readonly #listeners = new Set<() => void>();
  #bounds = new Map<number, Bounds>();
  #version = -1;
  #checkedAtMs = 0;
  #healthy = true;
  #timer: NodeJS.Timeout | undefined;
  #scheduled: NodeJS.Immediate | undefined;

  constructor({ reader, nowMs, pollMs }: LogTailOptions) {
    this.#reader = reader;
    this.#nowMs = nowMs;
    this.#pollMs = pollMs;
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  /** When the ends were last known to be true. */
  get checkedAtMs(): number {
    return this.#checkedAtMs;
  }

  bounds(id: number): Bounds {
    return this.#bounds.get(id) ?? { start: 0, end: 0 };
  }

  /** Reads the ends now; throws AppError `log_unavailable`. */
  refresh(): void {
    this.#version = this.#reader.version();
    this.#bounds = this.#reader.bounds();
    this.#checkedAtMs = this.#nowMs();
  }

  /** Calls `listener` after each successful look, whether or not something is new. Returns how to end that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#check(), this.#pollMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  /** This process has appended; what others have appended meanwhile is found by the next look at the file. */
  appended(ends: PartitionEnds): void {
    for (const [id, end] of ends) this.#extend(id, end);
    if (this.#listeners.size > 0) this.#scheduled ??= setImmediate(() => this.#tell());
  }

  /** Answers of the writing thread and looks at the file may cross: an end never moves back. */
  #extend(id: number, end: number): void {
    const known = this.bounds(id);
    if (known.end < end) this.#bounds.set(id, { start: known.start, end });
  }

  #check(): void {
    try {
      if (this.#reader.version() === this.#version) this.#checkedAtMs = this.#nowMs();
      else this.refresh();
      this.#healthy = true;
    } catch {
      this.#healthy = false;
      return;
    }
    this.#tell();
  }

  #tell(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    for (const listener of this.#listeners) listener();
  }

  #rest(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#scheduled);
    this.#timer = undefined;
    this.#scheduled = undefined;
  }
}
