import { sleep } from '@whetstone/platform';

import type { PartitionBounds } from '../cluster-queries.js';

export interface EndOffsetsOptions {
  ask(): Promise<PartitionBounds[]>;
  nowMs?(): number;
}

export interface Look {
  /** Before the question was asked. */
  atMs: number;
  bounds: PartitionBounds[];
}

/** Between the beginnings of two questions. */
const atMostEveryMs = 100;

/** Where the partitions of a topic end. However many want to know, one question is asked at a time, and not too often. */
export class EndOffsets {
  readonly #ask: () => Promise<PartitionBounds[]>;
  readonly #nowMs: () => number;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #current: Promise<unknown> = Promise.resolve();
  /** The question that has not been asked yet: everybody who comes until then shares its answer. */
  #next: Promise<Look> | undefined;

  constructor({ ask, nowMs = () => performance.now() }: EndOffsetsOptions) {
    this.#ask = ask;
    this.#nowMs = nowMs;
  }

  /** The answer to a question that is asked after this call. */
  look(): Promise<Look> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  async #askNext(): Promise<Look> {
    await this.#current.catch(() => {});
    const waitMs = this.#askedAtMs + atMostEveryMs - this.#nowMs();
    if (waitMs > 0) await sleep(waitMs);
    const look = this.#lookNow();
    this.#current = look;
    this.#next = undefined;
    return look;
  }

  async #lookNow(): Promise<Look> {
    const atMs = this.#nowMs();
    this.#askedAtMs = atMs;
    return { atMs, bounds: await this.#ask() };
  }
}
