/** One partition that the member has: how far it was delivered and committed. */
export class Assignment {
  readonly partition: number;
  /** Where delivery goes on; undefined before the first delivery: at the committed position. */
  next: number | undefined;
  paused = false;
  committed = 0;
  /** Delivered and not committed yet, in order. */
  #delivered: { offset: number; timestampMs: number }[] = [];
  #behindSinceMs: number | undefined;

  constructor(partition: number) {
    this.partition = partition;
  }

  /** Everything before it is done: with nothing left to commit, also what was read and not delivered, as barriers are. */
  get done(): number {
    return this.#delivered.length === 0 ? Math.max(this.committed, this.next ?? 0) : this.committed;
  }

  delivered(events: readonly { offset: number; timestampMs: number }[]): void {
    for (const { offset, timestampMs } of events) this.#delivered.push({ offset, timestampMs });
  }

  seek(nextOffset: number): void {
    this.next = nextOffset;
    this.#delivered = this.#delivered.filter(({ offset }) => offset < nextOffset);
  }

  commit(nextOffset: number): void {
    this.committed = Math.max(this.committed, nextOffset);
    const first = this.#delivered.findIndex(({ offset }) => offset >= this.committed);
    this.#delivered.splice(0, first < 0 ? this.#delivered.length : first);
  }

  /**
   * How long ago the oldest uncommitted event was written. Where it has not been delivered its time is not known: then how
   * long ago it was first seen to be missing.
   */
  lagSeconds(messages: number, nowMs: number): number {
    if (messages === 0) {
      this.#behindSinceMs = undefined;
      return 0;
    }
    this.#behindSinceMs ??= nowMs;
    const sinceMs = this.#delivered[0]?.timestampMs ?? this.#behindSinceMs;
    return Math.max(0, nowMs - sinceMs) / 1000;
  }
}
