/** More than this in one answer: it may have been cut, and what it does not have may still be there. */
const completeBytes = 1024 * 1024;

/**
 * Knows when nothing is left of a partition. Compaction may leave nothing at its end: then the end is never reached,
 * however long one reads, and kafkajs does not tell of fetches that bring nothing. But when every broker has been asked
 * after a look at the end, has answered, and has brought nothing of the partition, there is nothing left before that end.
 * (One that brought something does not count: a fetch never reads past the end of a segment.)
 */
export class FetchRounds {
  /** By broker: when the fetch began that is under way. */
  readonly #begun = new Map<number, { atMs: number; ended: boolean }>();
  /** By broker: when the last fetch began whose events have all been applied. */
  readonly #applied = new Map<number, number>();
  /** By address, when a broker last answered a fetch. */
  readonly #answered = new Map<string, number>();
  /** By partition, when events of it were last brought. */
  readonly #brought = new Map<number, number>();
  #cutAtMs = Number.NEGATIVE_INFINITY;

  /** Whatever was fetched before does not count: the positions may be others now. */
  reset(): void {
    this.#begun.clear();
    this.#applied.clear();
    this.#answered.clear();
    this.#brought.clear();
  }

  /** The broker is asked once the events of its last answer have been applied. */
  begun(broker: number, atMs: number): void {
    const last = this.#begun.get(broker);
    if (last?.ended) this.#applied.set(broker, last.atMs);
    this.#begun.set(broker, { atMs, ended: false });
  }

  answered(address: string, bytes: number, atMs: number): void {
    this.#answered.set(address, atMs);
    if (bytes >= completeBytes) this.#cutAtMs = atMs;
  }

  ended(broker: number): void {
    const current = this.#begun.get(broker);
    if (current) current.ended = true;
  }

  brought(partition: number, atMs: number): void {
    this.#brought.set(partition, atMs);
  }

  /** Whether everything of the partition that could be read at `atMs` has been applied. */
  nothingLeft(partition: number, atMs: number): boolean {
    const sinceMs = Math.max(atMs, this.#brought.get(partition) ?? atMs);
    const isSince = (time: number) => time > sinceMs;
    return (
      this.#begun.size > 0 &&
      [...this.#begun.keys()].every((broker) => isSince(this.#applied.get(broker) ?? sinceMs)) &&
      this.#answered.size > 0 &&
      [...this.#answered.values()].every(isSince) &&
      !isSince(this.#cutAtMs)
    );
  }
}
