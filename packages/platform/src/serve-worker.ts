import { getPriority, setPriority } from 'node:os';
import { parentPort, type Transferable } from 'node:worker_threads';

import { AppError, type ErrorCode } from './app-error.js';

export interface WorkerCall {
  id: number;
  method: string;
  payload: unknown;
}

export interface WorkerAnswer {
  id: number;
  value?: unknown;
  error?: FlatError;
}

/** An error as it crosses a thread: class and code would otherwise be lost. */
interface FlatError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  stack?: string;
}

function flattenError(error: unknown): FlatError {
  if (error instanceof AppError) return { code: error.code, message: error.message, retryable: error.retryable };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: 'internal', message, retryable: false, ...(stack === undefined ? {} : { stack }) };
}

export function reviveError({ code, message, retryable, stack }: FlatError): AppError {
  return new AppError(code, message, { retryable, cause: stack });
}

export type WorkerHandlers = Record<string, (payload: never) => unknown>;

/** Answers the calls of `createWorkerClient`; called once, by the script of a worker thread. */
export function serveWorker(handlers: WorkerHandlers): void {
  const port = parentPort;
  if (!port) throw new Error('serveWorker runs in a worker thread only');

  port.on('message', ({ id, method, payload }: WorkerCall) => {
    void answer(id, method, payload);
  });

  async function answer(id: number, method: string, payload: unknown): Promise<void> {
    try {
      const handler = handlers[method];
      if (!handler) throw new Error(`This worker has no method ${method}`);
      const value = await handler(payload as never);
      if (value instanceof Moved) send({ id, value: value.value }, value.transfer);
      else send({ id, value });
    } catch (error) {
      send({ id, error: flattenError(error) });
    }
  }

  function send(message: WorkerAnswer, transfer: Transferable[] = []): void {
    port?.postMessage(message, transfer);
  }
}

/** A handler's value whose buffers are handed over instead of copied. */
export function moved(value: unknown, transfer: Transferable[]): Moved {
  return new Moved(value, transfer);
}

class Moved {
  readonly value: unknown;
  readonly transfer: Transferable[];

  constructor(value: unknown, transfer: Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** A third of what others get while all cores are busy: enough for work with a time limit to end. */
export const loweredPriority = 5;

/**
 * Lets all other threads of the machine go before the calling one. On Linux each thread is scheduled by itself; elsewhere this
 * would slow down the whole process, so there it does nothing. False where it does nothing or is forbidden.
 */
export function lowerPriority(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // Who was started with a lower one keeps it.
    setPriority(Math.max(getPriority(), loweredPriority));
    return true;
  } catch {
    return false;
  }
}
