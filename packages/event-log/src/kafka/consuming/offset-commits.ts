import { type AppError, isAppError, type Logger, settleWithin, withTimeout } from '@whetstone/platform';

import { isOldGeneration, logUnavailable } from '../kafka-errors.js';

export interface OffsetCommitsOptions {
  /** Sends one request for all partitions. */
  send(offsets: ReadonlyMap<number, number>): Promise<void>;
  logger: Logger;
  /** A commit that takes longer is rejected; it may still succeed. */
  timeoutMs?: number;
}

interface Wanted {
  nextOffset: number;
  settled: Promise<void>;
  resolve(): void;
  reject(error: AppError): void;
}

/**
 * Commits of one member: one request at a time, always with the furthest position of each partition, so that a late retry of
 * kafkajs never moves a position back. A commit that a rebalance overtakes waits for the new assignment:
 * then it is sent again, or dropped if the partition was lost.
 */
export class OffsetCommits {
  readonly #options: Required<OffsetCommitsOptions>;
  readonly #wanted = new Map<number, Wanted>();
  #running = false;
  #onJoin = () => {};

  constructor(options: OffsetCommitsOptions) {
    this.#options = { timeoutMs: 5000, ...options };
  }

  async commit(partition: number, nextOffset: number): Promise<void> {
    const wanted = this.#wanted.get(partition) ?? createWanted();
    wanted.nextOffset = Math.max(wanted.nextOffset, nextOffset);
    this.#wanted.set(partition, wanted);
    if (!this.#running) void this.#run();
    await withTimeout(this.#options.timeoutMs, () => wanted.settled).catch((error: unknown) => {
      throw isAppError(error) ? error : logUnavailable(error);
    });
  }

  /** After a rebalance: resolves the commits of lost partitions without sending them. */
  joined(lost: Iterable<number>): void {
    for (const partition of lost) {
      this.#wanted.get(partition)?.resolve();
      this.#wanted.delete(partition);
    }
    this.#onJoin();
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Everything that is committed in this turn of the event loop shares one request.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#wanted.size > 0) {
      const sent = new Map([...this.#wanted].map(([partition, { nextOffset }]) => [partition, nextOffset]));
      const joined = new Promise<void>((resolve) => {
        this.#onJoin = resolve;
      });
      try {
        await this.#options.send(sent);
        this.#settle(sent, ({ resolve }) => resolve());
      } catch (error) {
        if (isOldGeneration(error)) {
          this.#options.logger.debug({ err: error }, 'Commit rejected after a rebalance; waiting to rejoin the group');
          await settleWithin(joined, this.#options.timeoutMs);
        } else {
          this.#settle(sent, ({ reject }) => reject(logUnavailable(error)));
        }
      }
    }
    this.#running = false;
  }

  /** Positions that have advanced meanwhile go into the next request. */
  #settle(sent: ReadonlyMap<number, number>, settle: (wanted: Wanted) => void): void {
    for (const [partition, nextOffset] of sent) {
      const wanted = this.#wanted.get(partition);
      if (wanted?.nextOffset !== nextOffset) continue;
      this.#wanted.delete(partition);
      settle(wanted);
    }
  }
}

function createWanted(): Wanted {
  let resolve = () => {};
  let reject: (error: AppError) => void = () => {};
  const settled = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Nobody may be waiting any more.
  settled.catch(() => {});
  return { nextOffset: 0, settled, resolve, reject };
}
