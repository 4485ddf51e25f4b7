import { AppError } from '@whetstone/platform';

import type { EmbeddingPriority } from '../../domain/ports.js';

interface Waiting {
  text: string;
  priority: EmbeddingPriority;
  done: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

/**
 * Texts waiting for the one model: one inference at a time, interactive texts first, and a text that already waits or is
 * being worked on is not asked for twice.
 */
export class InferenceQueue {
  readonly #infer: (text: string) => Promise<Float32Array>;
  readonly #waiting = { interactive: [] as Waiting[], background: [] as Waiting[] };
  readonly #known = new Map<string, Waiting>();
  #busy = false;

  constructor(infer: (text: string) => Promise<Float32Array>) {
    this.#infer = infer;
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
    if (!this.#busy) void this.#work();
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

  async #work(): Promise<void> {
    this.#busy = true;
    for (;;) {
      const next = this.#waiting.interactive.shift() ?? this.#waiting.background.shift();
      if (!next) break;
      try {
        next.resolve(await this.#infer(next.text));
      } catch (error) {
        next.reject(error);
      } finally {
        this.#known.delete(next.text);
      }
    }
    this.#busy = false;
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
