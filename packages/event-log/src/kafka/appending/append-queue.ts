import { AppError, backOffMs, sleep } from '@whetstone/platform';
import type { Message } from 'kafkajs';

import { isPassing, isTooLarge, logUnavailable } from '../kafka-errors.js';

/** Messages of one partition, in their order. */
export interface PartitionBatch {
  topic: string;
  partition: number;
  messages: Message[];
  bytes: number;
}

export interface AppendQueueOptions {
  /** Sends one request. Resolves once all in-sync replicas have every message. */
  send(batches: PartitionBatch[]): Promise<void>;
  /** Timeout of an append, including all retries. */
  timeoutMs: number;
  nowMs?(): number;
  pause?(timeMs: number): Promise<unknown>;
}

/** Appends of one partition. While it is busy nothing else is sent to it: a retry could be overtaken. */
interface Lane {
  topic: string;
  partition: number;
  waiting: PendingAppend[];
  busy: boolean;
}

interface Taken {
  lane: Lane;
  appends: PendingAppend[];
}

/** Size of one request; a larger message goes alone. */
const requestBytes = 1024 * 1024;
/** Limit of the buffer. If the brokers do not keep up, appends are rejected before memory runs out. */
const maxHeldBytes = 64 * 1024 * 1024;
/** After so long another request may start: a slow one may be held up by a single partition. */
const slowRequestMs = 50;
const maxRequests = 4;
const retryBackOff = { firstWaitMs: 100, longestWaitMs: 1000 };

/**
 * Batches concurrent appends, which kafkajs does not do. Usually one request is in flight, and everything that is appended
 * meanwhile goes into the next one, over all partitions. A partition whose messages were not
 * acknowledged retries alone until they are, or until they time out; only then does it go on. So
 * retries keep the order within a partition, and a sick partition costs the others one slow request.
 */
export class AppendQueue {
  readonly #options: Required<AppendQueueOptions>;
  /** In round-robin order. */
  readonly #lanes = new Map<string, Lane>();
  /** Start times of the requests in flight. */
  readonly #requests: number[] = [];
  #held = { appends: 0, bytes: 0 };
  #scheduled: NodeJS.Immediate | undefined;
  #slowTimer: NodeJS.Timeout | undefined;
  #whenEmpty: (() => void)[] = [];

  constructor(options: AppendQueueOptions) {
    this.#options = { nowMs: () => performance.now(), pause: sleep, ...options };
  }

  append(topic: string, partition: number, message: Message, bytes: number): Promise<void> {
    if (this.#held.bytes + bytes > maxHeldBytes) {
      const text = 'Kafka append buffer full';
      return Promise.reject(new AppError('log_unavailable', text, { retryable: true }));
    }
    const append = new PendingAppend(message, bytes, this.#options.timeoutMs, () => this.#release(append));
    this.#held.appends++;
    this.#held.bytes += bytes;
    this.#laneOf(topic, partition).waiting.push(append);
    // HTTP requests that were read in one turn of the event loop share a batch.
    this.#scheduled ??= setImmediate(() => this.#dispatch());
    return append.settled;
  }

  /** Resolves when every append has settled. */
  async drain(): Promise<void> {
    if (this.#held.appends > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  #laneOf(topic: string, partition: number): Lane {
    const id = `${partition}/${topic}`;
    const lane = this.#lanes.get(id) ?? { topic, partition, waiting: [], busy: false };
    this.#lanes.set(id, lane);
    return lane;
  }

  #release({ bytes }: PendingAppend): void {
    this.#held.appends--;
    this.#held.bytes -= bytes;
    if (this.#held.appends === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  #dispatch(): void {
    this.#scheduled = undefined;
    clearTimeout(this.#slowTimer);
    while (this.#leftMs() <= 0) {
      const taken = this.#take();
      if (taken.length === 0) return;
      void this.#deliver(taken);
    }
    this.#slowTimer = setTimeout(() => this.#dispatch(), this.#leftMs()).unref();
  }

  /** Time until another request may start. */
  #leftMs(): number {
    const latest = this.#requests.at(-1);
    if (latest === undefined) return 0;
    return this.#requests.length >= maxRequests ? slowRequestMs : latest + slowRequestMs - this.#options.nowMs();
  }

  #take(): Taken[] {
    const all: Taken[] = [];
    let bytes = 0;
    for (const [id, lane] of [...this.#lanes]) {
      if (lane.busy) continue;
      lane.waiting = lane.waiting.filter(({ isSettled }) => !isSettled);
      const appends: PendingAppend[] = [];
      for (const append of lane.waiting) {
        if (bytes > 0 && bytes + append.bytes > requestBytes) break;
        appends.push(append);
        bytes += append.bytes;
      }
      if (appends.length === 0) continue;
      lane.waiting.splice(0, appends.length);
      all.push({ lane, appends });
      // Behind the lanes that had to wait: those go first next time.
      this.#lanes.delete(id);
      this.#lanes.set(id, lane);
    }
    return all;
  }

  async #deliver(all: Taken[]): Promise<void> {
    const began = this.#options.nowMs();
    this.#requests.push(began);
    for (const { lane } of all) lane.busy = true;
    try {
      await this.#options.send(all.map(batchOf));
      for (const taken of all) this.#done(taken);
    } catch (error) {
      // The error of a shared request does not tell which partition caused it, unless it is transient.
      const known = all.length === 1 || isPassing(error) ? error : undefined;
      for (const taken of all) void this.#tryAlone(taken, known);
    }
    this.#requests.splice(this.#requests.indexOf(began), 1);
    this.#dispatch();
  }

  async #tryAlone(taken: Taken, error: unknown): Promise<void> {
    await this.#persist(taken, error);
    taken.lane.busy = false;
    this.#dispatch();
  }

  #done({ lane, appends }: Taken): void {
    for (const append of appends) append.resolve();
    lane.busy = false;
  }

  /** Retries after `error` until the messages are acknowledged, refused for good, or timed out. */
  async #persist({ lane, appends }: Taken, error?: unknown): Promise<void> {
    let failure = error;
    for (let failures = 1; ; failures++) {
      if (isPassing(failure)) await this.#options.pause(backOffMs(failures, retryBackOff));
      const left = appends.filter(({ isSettled }) => !isSettled);
      if (left.length === 0) return;
      if (isTooLarge(failure) && left.length > 1) {
        // One of them is too large: sent alone, it fails alone.
        for (const append of left) await this.#persist({ lane, appends: [append] });
        return;
      }
      if (failure !== undefined && !isPassing(failure)) {
        for (const append of left) append.reject(rejectionOf(failure));
        return;
      }
      try {
        await this.#options.send([batchOf({ lane, appends: left })]);
        for (const append of left) append.resolve();
        return;
      } catch (again) {
        failure = again;
      }
    }
  }
}

function batchOf({ lane: { topic, partition }, appends }: Taken): PartitionBatch {
  const bytes = appends.reduce((sum, append) => sum + append.bytes, 0);
  return { topic, partition, messages: appends.map(({ message }) => message), bytes };
}

function rejectionOf(error: unknown): AppError {
  if (!isTooLarge(error)) return logUnavailable(error);
  return new AppError('too_large', 'Event exceeds the size limit of its topic', { cause: error });
}

/** One append in flight. Settles once: with its result, or by its timeout. */
class PendingAppend {
  readonly message: Message;
  readonly bytes: number;
  readonly settled: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #onSettled: () => void;
  #settle!: { resolve(): void; reject(error: AppError): void };
  #isSettled = false;

  constructor(message: Message, bytes: number, timeoutMs: number, onSettled: () => void) {
    this.message = message;
    this.bytes = bytes;
    this.#onSettled = onSettled;
    this.settled = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#timer = setTimeout(() => this.reject(lateError(timeoutMs)), timeoutMs).unref();
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  resolve(): void {
    if (this.#end()) this.#settle.resolve();
  }

  reject(error: AppError): void {
    if (this.#end()) this.#settle.reject(error);
  }

  #end(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#onSettled();
    return true;
  }
}

function lateError(timeoutMs: number): AppError {
  return new AppError('log_unavailable', `Kafka has not acknowledged within ${timeoutMs} ms`, { retryable: true });
}
