import { AppError } from '@whetstone/platform';

import type { EmbeddingPriority } from '../../domain/ports.js';

interface Job {
  text: string;
  priority: EmbeddingPriority;
  done: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

interface InferenceQueueOptions {
  /** Memory for vectors of texts embedded before. */
  cacheBytes: number;
  /** Inferences that run at the same time. */
  concurrency: number;
  /** How many of these may be background work; the rest stay free for interactive texts. */
  backgroundConcurrency: number;
}

const oneAtATime = { cacheBytes: 0, concurrency: 1, backgroundConcurrency: 1 };

/** Schedules inferences: interactive texts first, each distinct text once, recent vectors from a cache. */
export class InferenceQueue {
  readonly #infer: (text: string) => Promise<Float32Array>;
  readonly #options: InferenceQueueOptions;
  readonly #cache: VectorCache;
  readonly #waiting = { interactive: [] as Job[], background: [] as Job[] };
  /** Waiting or running, by text. */
  readonly #jobs = new Map<string, Job>();
  readonly #running = { interactive: 0, background: 0 };

  constructor(infer: (text: string) => Promise<Float32Array>, options: Partial<InferenceQueueOptions> = {}) {
    this.#infer = infer;
    this.#options = { ...oneAtATime, ...options };
    this.#cache = new VectorCache(this.#options.cacheBytes);
  }

  async embed(text: string, priority: EmbeddingPriority): Promise<Float32Array> {
    return this.#cache.get(text) ?? this.#enqueue(text, priority);
  }

  /** Rejects waiting texts; running inferences finish. */
  close(): void {
    for (const { reject } of [...this.#waiting.interactive.splice(0), ...this.#waiting.background.splice(0)]) {
      reject(new AppError('store_unavailable', 'The embedder is closed', { retryable: true }));
    }
  }

  #enqueue(text: string, priority: EmbeddingPriority): Promise<Float32Array> {
    const known = this.#jobs.get(text);
    if (known) {
      this.#promote(known, priority);
      return known.done;
    }
    const job: Job = { text, priority, ...deferred() };
    this.#jobs.set(text, job);
    this.#waiting[priority].push(job);
    this.#startJobs();
    return job.done;
  }

  /** Moves a waiting background job to the interactive queue. */
  #promote(job: Job, priority: EmbeddingPriority): void {
    if (priority === 'background' || job.priority === 'interactive') return;
    const place = this.#waiting.background.indexOf(job);
    if (place < 0) return;
    this.#waiting.background.splice(place, 1);
    job.priority = 'interactive';
    this.#waiting.interactive.push(job);
  }

  #startJobs(): void {
    for (let next = this.#next(); next; next = this.#next()) void this.#run(next);
  }

  #next(): Job | undefined {
    const { concurrency, backgroundConcurrency } = this.#options;
    if (this.#running.interactive + this.#running.background >= concurrency) return undefined;
    const urgent = this.#waiting.interactive.shift();
    if (urgent) return urgent;
    return this.#running.background < backgroundConcurrency ? this.#waiting.background.shift() : undefined;
  }

  async #run({ text, priority, resolve, reject }: Job): Promise<void> {
    this.#running[priority]++;
    try {
      const vector = await this.#infer(text);
      this.#cache.set(text, vector);
      resolve(vector);
    } catch (error) {
      reject(error);
    } finally {
      this.#jobs.delete(text);
      this.#running[priority]--;
      this.#startJobs();
    }
  }
}

function deferred() {
  let resolve: (vector: Float32Array) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const done = new Promise<Float32Array>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { done, resolve, reject };
}

/** Vectors by text; evicts the least recently used when it exceeds its bytes. */
export class VectorCache {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text);
    if (!vector) return undefined;
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    return vector;
  }

  set(text: string, vector: Float32Array): void {
    this.#remove(text);
    this.#vectors.set(text, vector);
    this.#bytes += sizeOf(text, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(text: string): void {
    const vector = this.#vectors.get(text);
    if (!vector) return;
    this.#vectors.delete(text);
    this.#bytes -= sizeOf(text, vector);
  }
}

/** At most two bytes per character, plus roughly 200 bytes of overhead per entry. */
function sizeOf(text: string, vector: Float32Array): number {
  return 2 * text.length + vector.byteLength + 200;
}
