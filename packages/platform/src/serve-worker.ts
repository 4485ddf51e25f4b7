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

/** An error in transit between threads, which would lose its class and code. */
interface FlatError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  stack?: string;
}

function flattenError(error: unknown): FlatError {
  if (error instanceof AppError) return { code: error.code, message: error.message, retryable: error.retryable };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: 'internal', message, retryable: isStarved(error), ...(stack === undefined ? {} : { stack }) };
}

/** No descriptor, thread, memory or disk space left: nobody's fault, and it may work later. */
const starvedCodes: ReadonlySet<unknown> = new Set([
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'ERR_WORKER_INIT_FAILED',
]);

export function isStarved(error: unknown): boolean {
  return starvedCodes.has((error as NodeJS.ErrnoException | undefined)?.code);
}

export function reviveError({ code, message, retryable, stack }: FlatError): AppError {
  return new AppError(code, message, { retryable, cause: stack });
}

export type WorkerHandlers = Record<string, (payload: never) => unknown>;

/** Serves the calls of `createWorkerClient`. Called once by the script of a worker thread. */
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

/** A result whose buffers are transferred instead of copied. */
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

/** A third of what others get while all cores are busy: enough to finish within a time limit. */
export const loweredPriority = 5;

/**
 * Lowers the priority of the calling thread. Linux schedules each thread by itself; elsewhere this
 * would slow down the whole process. False if unsupported or forbidden.
 */
export function lowerPriority(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // A lower priority is kept.
    setPriority(Math.max(getPriority(), loweredPriority));
    return true;
  } catch {
    return false;
  }
}
