import { isAppError, type Logger } from '@whetstone/platform';

import type { PartitionBounds } from '../cluster-queries.js';
import { isRefused } from '../kafka-errors.js';

export interface GapWatchOptions {
  topic: string;
  logger: Logger;
  /** Next offset of the view by partition. */
  positions(): readonly number[];
  /** Whether the view waits for records: it fetches, and none of its handlers is running. */
  isWaiting(): boolean;
  appendBarrier(partition: number): Promise<void>;
  checkAfterMs?: number;
}

interface Gap {
  /** The view should reach it. */
  end: number;
  /** Where the view stood at the last check. */
  position: number;
  /** Where the view stood when a barrier was appended: a second one there would not help. */
  barrierAt?: number;
  stuckChecks: number;
  timer: NodeJS.Timeout;
}

const retryAfterChecks = 4;
/** Five seconds, and then every minute. */
const complainAfterChecks = 20;
const complainEveryChecks = 240;

/**
 * Moves a view past offsets that hold nothing to read. Compaction and aborted transactions leave such gaps, also right before
 * the end of a partition, and kafkajs reports records only: with no record behind the gap, the view would never know that it
 * has reached the end. So where a view stands still before the end, a barrier record is appended; reading it takes the view
 * past the gap. There is at most one timer and one append per partition, however many callers wait.
 */
export class GapWatch {
  readonly #options: Required<GapWatchOptions>;
  readonly #gaps = new Map<number, Gap>();
  #isStopped = false;
  #isRefused = false;

  constructor(options: GapWatchOptions) {
    this.#options = { checkAfterMs: 250, ...options };
  }

  /** The view should reach these ends. */
  watch(bounds: readonly PartitionBounds[]): void {
    if (this.#isStopped) return;
    const positions = this.#options.positions();
    bounds.forEach(({ high: end }, partition) => {
      const position = positions[partition] ?? 0;
      if (position >= end) return;
      const gap = this.#gaps.get(partition);
      if (gap) gap.end = end;
      else this.#gaps.set(partition, { end, position, stuckChecks: 0, timer: this.#schedule(partition) });
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#gaps.values()) clearTimeout(timer);
    this.#gaps.clear();
  }

  #schedule(partition: number, checks = 1): NodeJS.Timeout {
    return setTimeout(() => void this.#check(partition), this.#options.checkAfterMs * checks).unref();
  }

  async #check(partition: number): Promise<void> {
    const gap = this.#gaps.get(partition);
    const position = this.#options.positions()[partition];
    if (!gap || position === undefined || position >= gap.end) {
      this.#gaps.delete(partition);
      return;
    }
    let checks = 1;
    const standsStill = position === gap.position && this.#options.isWaiting();
    if (!standsStill) gap.stuckChecks = 0;
    else if (gap.barrierAt === position) this.#complain(partition, gap);
    else if (await this.#append(partition)) gap.barrierAt = position;
    else checks = retryAfterChecks;
    if (this.#isStopped) return;
    gap.position = position;
    gap.timer = this.#schedule(partition, checks);
  }

  async #append(partition: number): Promise<boolean> {
    if (this.#isRefused) return false;
    const { topic, logger, appendBarrier } = this.#options;
    try {
      await appendBarrier(partition);
      return true;
    } catch (error) {
      this.#isRefused = isAppError(error) && isRefused(error.cause);
      if (this.#isRefused) {
        const text = 'Kafka refused a barrier record; grant Write on the topic, or the view waits for the next event';
        logger.warn({ err: error, topic, partition }, text);
      } else logger.debug({ err: error, topic, partition }, 'Appending a barrier record failed; retrying');
      return false;
    }
  }

  #complain(partition: number, gap: Gap): void {
    gap.stuckChecks++;
    if (gap.stuckChecks % complainEveryChecks !== complainAfterChecks) return;
    const { topic, logger } = this.#options;
    const text = 'View stuck before the end of its partition: look for an open transaction or an emptied batch there';
    logger.error({ topic, partition, position: gap.position, end: gap.end }, text);
  }
}
