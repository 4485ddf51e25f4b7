import type { EachBatchPayload } from 'kafkajs';

import type { FollowOptions, LogEvent } from '../../ports.js';
import type { PartitionBounds } from '../cluster-queries.js';
import { isBarrier, toLogEvent } from '../records.js';

export interface ViewApplierOptions {
  handlers: FollowOptions;
  onProgress(): void;
  /** The view starts over within these bounds: batches that were fetched before must not be applied. */
  onAnew(bounds: PartitionBounds[]): void;
  /** A handler has thrown. */
  onCrash(error: Error): void;
}

/** Applied in one turn of the event loop. */
const eventsPerTurn = 128;

/** Applies events to a view, one handler call after another, and tracks its positions. */
export class ViewApplier {
  readonly #options: ViewApplierOptions;
  #positions: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #turns = 0;
  #ended = false;

  constructor(options: ViewApplierOptions) {
    this.#options = options;
  }

  /** Next offset by partition. */
  get positions(): readonly number[] {
    return this.#positions;
  }

  /** Whether events are being applied. */
  get isBusy(): boolean {
    return this.#turns > 0;
  }

  /** Resumes at the stored positions, or starts at the oldest events if there are none or they are out of range. */
  begin(bounds: PartitionBounds[]): Promise<void> {
    const { from } = this.#options.handlers;
    return this.#inTurn(async () => {
      if (from && isInRange(from, from, bounds)) this.#positions = from.slice();
      else await this.#beginAnew(bounds, from !== undefined);
    });
  }

  /**
   * Starts over if the next offset was truncated, or if the log ends before the position that the view had
   * `then`, when the bounds were queried.
   */
  check(bounds: PartitionBounds[], then: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      if (!isInRange(this.#positions, then, bounds)) await this.#beginAnew(bounds, true);
    });
  }

  apply({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch;
    return this.#inTurn(async () => {
      // A new partition. It is read from its beginning once the view has started over.
      if (partition >= this.#positions.length) return;
      const mayGoOn = () => !this.#ended && isRunning() && !isStale();
      const from = this.#positions[partition] ?? 0;
      const fresh = messages.filter((message) => Number(message.offset) >= from && !isBarrier(message));
      for (let at = 0; at < fresh.length && mayGoOn(); at += eventsPerTurn) {
        const events = fresh.slice(at, at + eventsPerTurn).map((message) => toLogEvent(topic, partition, message));
        await this.#hand(events);
      }
      if (!mayGoOn()) return;
      this.#advance(partition, Number(batch.lastOffset()) + 1);
      resolveOffset(batch.lastOffset());
    });
  }

  #advance(partition: number, next: number): void {
    // A new partition is not read before the view has started over.
    if (partition >= this.#positions.length || next <= (this.#positions[partition] ?? 0)) return;
    this.#positions = this.#positions.with(partition, next);
    this.#options.onProgress();
  }

  /** Resolves when no handler runs. No handler is called afterwards. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#turn;
  }

  async #hand(events: LogEvent[]): Promise<void> {
    const { partition, offset } = events.at(-1) as LogEvent;
    await this.#options.handlers.onEvents(events, this.#positions.with(partition, offset + 1));
    // Positions of other partitions may have moved meanwhile.
    this.#advance(partition, offset + 1);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #beginAnew(bounds: PartitionBounds[], hasState: boolean): Promise<void> {
    if (hasState) await this.#options.handlers.onReset();
    this.#positions = bounds.map(({ low }) => low);
    this.#options.onAnew(bounds);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turns++;
    this.#turn = this.#turn.then(async () => {
      try {
        if (!this.#ended) await work();
      } catch (error) {
        this.#ended = true;
        this.#options.onCrash(error as Error);
      } finally {
        this.#turns--;
      }
    });
    return this.#turn;
  }
}

function isInRange(positions: readonly number[], then: readonly number[], bounds: PartitionBounds[]): boolean {
  if (positions.length !== bounds.length) return false;
  return bounds.every(({ low, high }, partition) => {
    return (positions[partition] ?? 0) >= low && (then[partition] ?? 0) <= high;
  });
}
