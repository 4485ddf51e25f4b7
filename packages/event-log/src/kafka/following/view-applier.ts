import type { EachBatchPayload } from 'kafkajs';

import type { FollowOptions, LogEvent } from '../../ports.js';
import type { PartitionBounds } from '../cluster-queries.js';
import { isBarrier, toLogEvent } from '../records.js';

export interface ViewApplierOptions {
  handlers: FollowOptions;
  onProgress(): void;
  /** The view begins anew, with these bounds: whatever was fetched before must not be applied. */
  onAnew(bounds: PartitionBounds[]): void;
  /** A handler has thrown. */
  onCrash(error: Error): void;
}

/** What is applied in one turn of the event loop. */
const eventsPerTurn = 128;

/** Applies events to a view, one call of a handler after another, and knows how far the view has come. */
export class ViewApplier {
  readonly #options: ViewApplierOptions;
  #positions: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #turns = 0;
  #ended = false;

  constructor(options: ViewApplierOptions) {
    this.#options = options;
  }

  /** Next offset by partition. Not to be changed. */
  get positions(): readonly number[] {
    return this.#positions;
  }

  /** Whether events are being applied. */
  get isBusy(): boolean {
    return this.#turns > 0;
  }

  /** Takes the stored positions, or begins with the oldest events where there are none, or none that are in the log. */
  begin(bounds: PartitionBounds[]): Promise<void> {
    const { from } = this.#options.handlers;
    return this.#inTurn(async () => {
      if (from && isInRange(from, from, bounds)) this.#positions = from.slice();
      else await this.#beginAnew(bounds, from !== undefined);
    });
  }

  /**
   * Begins anew where what comes next is not in the log any more, or where the log has come to an end before what was
   * applied `then`, when the bounds were asked for.
   */
  check(bounds: PartitionBounds[], then: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      if (!isInRange(this.#positions, then, bounds)) await this.#beginAnew(bounds, true);
    });
  }

  apply({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch;
    return this.#inTurn(async () => {
      // One that the view has not looked at yet. It is read from its beginning when the view has begun anew.
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
    // A partition that has come with others is not read before the view has begun anew.
    if (partition >= this.#positions.length || next <= (this.#positions[partition] ?? 0)) return;
    this.#positions = this.#positions.with(partition, next);
    this.#options.onProgress();
  }

  /** Resolves when no handler runs; none is called any more. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#turn;
  }

  async #hand(events: LogEvent[]): Promise<void> {
    const { partition, offset } = events.at(-1) as LogEvent;
    await this.#options.handlers.onEvents(events, this.#positions.with(partition, offset + 1));
    // Those of other partitions may have moved meanwhile.
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
