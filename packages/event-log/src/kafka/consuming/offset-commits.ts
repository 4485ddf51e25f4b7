import { type AppError, isAppError, type Logger, settleWithin, withTimeout } from '@whetstone/platform';

import { isOldGeneration, logUnavailable } from '../kafka-errors.js';

export interface OffsetCommitsOptions {
  /** One request for all of them. */
  send(offsets: ReadonlyMap<number, number>): Promise<void>;
  logger: Logger;
  /** After so long a commit is rejected; it may still get through. */
  timeoutMs?: number;
}

interface Wanted {
  nextOffset: number;
  settled: Promise<void>;
  resolve(): void;
  reject(error: AppError): void;
}

/**
 * Commits of one member: one request at a time, always with the furthest position of each partition, so that a request that
 * kafkajs repeats late never moves a position back. What comes after the group has moved on is kept until it has shared
 * out anew: then it is committed again, or the partition is somebody else's.
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

  /** The group has shared out the partitions, and these are gone: commits for them do nothing. */
  joined(lost: Iterable<number>): void {
    for (const partition of lost) {
      this.#wanted.get(partition)?.resolve();
      this.#wanted.delete(partition);
    }
    this.#onJoin();
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Whatever is committed in this turn of the event loop goes into one request.
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
          this.#options.logger.debug({ err: error }, 'A commit came after the group had moved on');
          await settleWithin(joined, this.#options.timeoutMs);
        } else {
          this.#settle(sent, ({ reject }) => reject(logUnavailable(error)));
        }
      }
    }
    this.#running = false;
  }

  /** What has been asked for since goes into the next request. */
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
  // Whoever waited for it may have stopped waiting.
  settled.catch(() => {});
  return { nextOffset: 0, settled, resolve, reject };
}
