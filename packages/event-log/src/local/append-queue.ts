import { AppError, isAppError, sleep } from '@whetstone/platform';

import type { EventToWrite, PartitionEnds, PositionToWrite, WriteBatch } from './event-writer.js';

export interface AppendQueueOptions {
  write(batch: WriteBatch): Promise<PartitionEnds>;
  /** Called after each batch is on disk. */
  onWritten(ends: PartitionEnds): void;
  nowMs?(): number;
  pause?(timeMs: number): Promise<unknown>;
}

interface Waiting {
  event: EventToWrite;
  value: Uint8Array;
  bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** Size of one transaction; a larger event goes alone. */
const batchBytes = 1024 * 1024;
/** How long to gather concurrent appends: at most this from one batch to the next, less after a small batch. */
const longestPauseMs = 6;
const pausePerCompanionMs = 3;
/** Enough appends to share an fsync; waiting for more gains nothing. */
const goodCompany = 6;
/** Limit of the buffer. If the disk does not keep up, appends are rejected before memory runs out. */
const maxWaitingBytes = 64 * 1024 * 1024;

/**
 * Group commit. One batch is in flight at a time; everything that is appended meanwhile goes into the next one, in the
 * order of the calls. On a fast disk that would gather little, so a batch of several appends is
 * followed by a short pause, unless enough are waiting: hundreds of appends a second take dozens of fsyncs, and a lone
 * append never waits.
 */
export class AppendQueue {
  readonly #write: AppendQueueOptions['write'];
  readonly #onWritten: AppendQueueOptions['onWritten'];
  readonly #nowMs: () => number;
  readonly #pause: (timeMs: number) => Promise<unknown>;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #positions = new Map<string, { position: PositionToWrite; settled: PromiseWithResolvers }>();
  #running: Promise<void> | undefined;
  #lastBatch = { size: 0, beganAtMs: 0 };
  #healthy = true;
  #onGoodBatch = () => {};

  constructor({ write, onWritten, nowMs = () => performance.now(), pause = sleep }: AppendQueueOptions) {
    this.#write = write;
    this.#onWritten = onWritten;
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  /** Whether the last batch went to disk. */
  get healthy(): boolean {
    return this.#healthy;
  }

  append(event: EventToWrite, value: Uint8Array): Promise<void> {
    const bytes = value.byteLength + event.key.length + event.headers.length;
    if (this.#waitingBytes + bytes > maxWaitingBytes) {
      const message = 'Log append buffer full: the disk does not keep up';
      return Promise.reject(new AppError('log_unavailable', message, { retryable: true }));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, value, bytes, resolve, reject });
      this.#waitingBytes += bytes;
      if (this.#isGoodBatch()) this.#onGoodBatch();
      this.#start();
    });
  }

  /** Of several waiting positions of one group and partition, only the furthest is written. */
  savePosition(position: PositionToWrite): Promise<void> {
    const id = `${position.partitionId}/${position.group}`;
    const waiting = this.#positions.get(id);
    const settled = waiting?.settled ?? promiseWithResolvers();
    if (!waiting || waiting.position.nextOffset < position.nextOffset) this.#positions.set(id, { position, settled });
    this.#start();
    return settled.promise;
  }

  /** Resolves when nothing is waiting any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // HTTP requests that were read in one turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0 || this.#positions.size > 0) {
      await this.#gather();
      const positions = [...this.#positions.values()];
      this.#positions = new Map();
      const batch = this.#takeBatch();
      this.#lastBatch = { size: batch.length, beganAtMs: this.#nowMs() };
      await this.#commit(batch, positions);
    }
    // In the same turn as the last look at the queue, so that no append is missed.
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    const { size, beganAtMs } = this.#lastBatch;
    const pauseMs = Math.min(longestPauseMs, (size - 1) * pausePerCompanionMs);
    const leftMs = beganAtMs + pauseMs - this.#nowMs();
    if (leftMs <= 0 || this.#isGoodBatch()) return;
    await Promise.race([this.#pause(leftMs), new Promise<void>((resolve) => (this.#onGoodBatch = resolve))]);
    this.#onGoodBatch = () => {};
  }

  #isGoodBatch(): boolean {
    return this.#waiting.length >= goodCompany || this.#waitingBytes >= batchBytes;
  }

  #takeBatch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && bytes + more > batchBytes) break;
      bytes += more;
      count++;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #commit(batch: Waiting[], positions: { position: PositionToWrite; settled: PromiseWithResolvers }[]) {
    try {
      const ends = await this.#write(pack(batch, positions));
      this.#healthy = true;
      for (const { resolve } of batch) resolve();
      for (const { settled } of positions) settled.resolve();
      this.#onWritten(ends);
    } catch (error) {
      this.#healthy = !isAppError(error, 'log_unavailable');
      if (this.#healthy && batch.length + positions.length > 1) {
        // One of them is at fault: written alone, it fails alone.
        for (const waiting of batch) await this.#commit([waiting], []);
        for (const position of positions) await this.#commit([], [position]);
        return;
      }
      for (const { reject } of batch) reject(error);
      for (const { settled } of positions) settled.reject(error);
    }
  }
}

/** Copies the values into the buffer that is transferred: the caller's own buffers stay usable for a retry. */
function pack(batch: Waiting[], positions: { position: PositionToWrite }[]): WriteBatch {
  const values = new Uint8Array(batch.reduce((sum, { value }) => sum + value.byteLength, 0));
  let at = 0;
  for (const { value } of batch) {
    values.set(value, at);
    at += value.byteLength;
  }
  return {
    events: batch.map(({ event }) => event),
    values: values.buffer,
    positions: positions.map(({ position }) => position),
  };
}

interface PromiseWithResolvers {
  promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
