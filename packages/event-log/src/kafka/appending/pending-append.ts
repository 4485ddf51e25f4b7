import { AppError } from '@whetstone/platform';
import type { Message } from 'kafkajs';

/** One append that has not been answered, and is answered once: by its end, or because its time is up. */
export class PendingAppend {
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
