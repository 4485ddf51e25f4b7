import { AppError } from '@whetstone/platform';

import type { EmbeddingPriority } from '../domain/ports.js';

interface Waiting {
  text: string;
  priority: EmbeddingPriority;
  done: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

interface QueueLimits {
  /** Texts worked on at the same time. */
  atOnce: number;
  /** Of these, how many may be of the background; the others stay free for what cannot wait. */
  background: number;
}

/**
 * Texts waiting for the model: one inference at a time unless told otherwise, interactive texts first, and a text that already
 * waits or is being worked on is not asked for twice.
 */
export class InferenceQueue {
  readonly #infer: (text: string) => Promise<Float32Array>;
  readonly #limits: QueueLimits;
  readonly #waiting = { interactive: [] as Waiting[], background: [] as Waiting[] };
  readonly #known = new Map<string, Waiting>();
  readonly #running = { interactive: 0, background: 0 };

  constructor(infer: (text: string) => Promise<Float32Array>, limits: QueueLimits = { atOnce: 1, background: 1 }) {
    this.#infer = infer;
    this.#limits = limits;
  }

  embed(text: string, priority: EmbeddingPriority): Promise<Float32Array> {
    const known = this.#known.get(text);
    if (known) {
      this.#hurry(known, priority);
      return known.done;
    }
    const { promise, resolve, reject } = deferred();
    const waiting: Waiting = { text, priority, done: promise, resolve, reject };
    this.#known.set(text, waiting);
    this.#waiting[priority].push(waiting);
    this.#beginWhatMay();
    return promise;
  }

  /** What waits is rejected; what is being worked on is finished. */
  close(): void {
    for (const { reject } of [...this.#waiting.interactive.splice(0), ...this.#waiting.background.splice(0)]) {
      reject(new AppError('store_unavailable', 'The embedder is closed', { retryable: true }));
    }
  }

  #hurry(known: Waiting, priority: EmbeddingPriority): void {
    if (priority === 'background' || known.priority === 'interactive') return;
    const place = this.#waiting.background.indexOf(known);
    if (place < 0) return;
    this.#waiting.background.splice(place, 1);
    known.priority = 'interactive';
    this.#waiting.interactive.push(known);
  }

  #beginWhatMay(): void {
    for (let next = this.#next(); next; next = this.#next()) void this.#work(next);
  }

  #next(): Waiting | undefined {
    const { atOnce, background } = this.#limits;
    if (this.#running.interactive + this.#running.background >= atOnce) return undefined;
    const urgent = this.#waiting.interactive.shift();
    if (urgent) return urgent;
    return this.#running.background < background ? this.#waiting.background.shift() : undefined;
  }

  async #work({ text, priority, resolve, reject }: Waiting): Promise<void> {
    this.#running[priority]++;
    try {
      resolve(await this.#infer(text));
    } catch (error) {
      reject(error);
    } finally {
      this.#known.delete(text);
      this.#running[priority]--;
      this.#beginWhatMay();
    }
  }
}

function deferred() {
  let resolve: (vector: Float32Array) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Float32Array>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
