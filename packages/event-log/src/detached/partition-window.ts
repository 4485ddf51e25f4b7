export interface WindowLimits {
  messages: number;
  bytes: number;
}

/** One event that was taken and whose position is not committed yet. */
export interface WindowEntry {
  readonly offset: number;
  readonly bytes: number;
  finished: boolean;
}

/**
 * What is uncommitted of one partition: events in their order, finished in any order, committed only as far as everything
 * before is finished. Bounds both what a crash repeats and what waits in memory.
 */
export class PartitionWindow {
  readonly #limits: WindowLimits;
  #entries: WindowEntry[] = [];
  #bytes = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#entries.length >= this.#limits.messages || this.#bytes >= this.#limits.bytes;
  }

  /** Room enough that reading on is worth it: a read for every freed place would read most events many times. */
  get isHalfEmpty(): boolean {
    return this.#entries.length <= this.#limits.messages / 2 && this.#bytes <= this.#limits.bytes / 2;
  }

  add(offset: number, bytes: number): WindowEntry {
    const entry = { offset, bytes, finished: false };
    this.#entries.push(entry);
    this.#bytes += bytes;
    return entry;
  }

  /** The position behind the finished events at the front; undefined when the first is still under way. */
  finishedTo(): number | undefined {
    let to: number | undefined;
    for (const { finished, offset } of this.#entries) {
      if (!finished) break;
      to = offset + 1;
    }
    return to;
  }

  committed(nextOffset: number): void {
    const first = this.#entries.findIndex(({ offset }) => offset >= nextOffset);
    const gone = this.#entries.splice(0, first < 0 ? this.#entries.length : first);
    for (const { bytes } of gone) this.#bytes -= bytes;
  }
}
