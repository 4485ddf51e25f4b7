import type { AppError } from '@whetstone/platform';

/**
 * That the work for one request has become pointless, and why. Costs nothing until someone asks for its signal: most requests
 * end well, and not all of them have anyone to pass a signal on to.
 */
export class Cancellation {
  #reason: AppError | undefined;
  #controller: AbortController | undefined;
  #listener: ((reason: AppError) => void) | undefined;

  /** The first reason stands. */
  cancel(reason: AppError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

  /** Called once, also for what has already happened. There is one listener at a time. */
  set listener(listener: ((reason: AppError) => void) | undefined) {
    this.#listener = listener;
    if (this.#reason) listener?.(this.#reason);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }
}
