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
  /** One request. Resolves when every message is with all in-sync replicas. */
  send(batches: PartitionBatch[]): Promise<void>;
  /** After so long an append is rejected, whatever its message is doing. */
  timeoutMs: number;
  nowMs?(): number;
  pause?(timeMs: number): Promise<unknown>;
}

/** One partition's appends. While it is busy nothing else of it is sent: a retry could otherwise be overtaken. */
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

/** What goes into one request; a larger message goes alone. */
const requestBytes = 1024 * 1024;
/** More than this held means that the brokers do not keep up: better to say so than to fill the memory. */
const maxHeldBytes = 64 * 1024 * 1024;
/** A request that takes so long may be held up by one partition: the others then do not wait for it. */
const slowRequestMs = 50;
const maxRequests = 4;
const retryBackOff = { firstWaitMs: 100, longestWaitMs: 1000 };

/**
 * Gathers concurrent appends into few requests, which kafkajs does not do. Usually one request is on its way, and whatever
 * is appended meanwhile goes together into the next one, over all partitions. A partition whose messages were not
 * acknowledged leaves that company and tries again alone, until they are or their time is up; only then does it go on. So
 * the order within a partition outlives retries, and a sick partition costs the others one slow request.
 */
export class AppendQueue {
  readonly #options: Required<AppendQueueOptions>;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
  /** When each request that is on its way began. */
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
    // Requests that were read from their sockets in one turn of the event loop belong together.
    this.#scheduled ??= setImmediate(() => this.#dispatch());
    return append.settled;
  }

  /** Resolves when every append has been answered. */
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

  /** Until another request may begin. */
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
      // Behind those that had to stay: next time they come first.
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
      // In company it is not said whose fault it was, unless it is nobody's.
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

  /** Sends, after `error` where there was one, until it is acknowledged, refused for good or not waited for any more. */
  async #persist({ lane, appends }: Taken, error?: unknown): Promise<void> {
    let failure = error;
    for (let failures = 1; ; failures++) {
      if (isPassing(failure)) await this.#options.pause(backOffMs(failures, retryBackOff));
      const left = appends.filter(({ isSettled }) => !isSettled);
      if (left.length === 0) return;
      if (isTooLarge(failure) && left.length > 1) {
        // One of them is at fault: alone, it fails alone.
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
  return new AppError('too_large', 'The event is larger than the topic takes', { cause: error });
}

/** One append that has not been answered, and is answered once: by its end, or because its time is up. */
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
