import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

import { AppError } from './app-error.js';
import { isStarved, reviveError, type WorkerAnswer, type WorkerCall } from './serve-worker.js';

export interface WorkerCallOptions {
  transfer?: Transferable[];
}

/** Calls into one worker thread that runs `serveWorker`. */
export interface WorkerClient {
  /**
   * AppErrors of the handler arrive as they were thrown. Rejects with AppError `internal` when the worker ends before it
   * answers, whatever ended it: a crash, its memory limit, `terminate`. That is retryable if the process had no descriptor,
   * thread or memory left for it.
   */
  call<Result>(method: string, payload: unknown, options?: WorkerCallOptions): Promise<Result>;
  /** Resolves when the thread has ended, with the error unless it was `terminate`. */
  readonly ended: Promise<Error | undefined>;
  /** Rejects new calls, waits for those in flight and ends the thread. Use this for threads with native code. */
  close(): Promise<void>;
  /** Ends the thread at once. In native code that can crash the whole process. */
  terminate(): Promise<void>;
}

export type WorkerClientOptions = Pick<WorkerOptions, 'name' | 'workerData' | 'resourceLimits' | 'env'>;

/** Throws AppError `internal` (retryable) if no thread can be started now. */
export function createWorkerClient(script: URL, options: WorkerClientOptions): WorkerClient {
  const worker = startWorker(script, options);
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let failure: Error | undefined;
  let hasEnded = false;
  let closing = false;
  let onIdle = () => {};

  worker.on('message', ({ id, error, value }: WorkerAnswer) => {
    const call = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) {
      worker.unref();
      onIdle();
    }
    if (error) call?.reject(reviveError(error));
    else call?.resolve(value);
  });
  worker.on('error', (error: Error) => {
    failure = error;
  });
  worker.unref();

  const ended = new Promise<Error | undefined>((resolve) => {
    worker.once('exit', () => {
      hasEnded = true;
      for (const { reject } of pending.values()) reject(endedError());
      pending.clear();
      resolve(failure);
    });
  });
  const endedError = () =>
    new AppError('internal', `The ${options.name} worker has ended`, { cause: failure, retryable: isStarved(failure) });

  return {
    ended,
    call<Result>(method: string, payload: unknown, { transfer = [] }: WorkerCallOptions = {}) {
      if (hasEnded || closing) return Promise.reject(endedError());
      return new Promise<Result>((resolve, reject) => {
        const call: WorkerCall = { id: ++lastId, method, payload };
        // Throws if the message cannot be cloned; the call is then not pending.
        worker.postMessage(call, transfer);
        pending.set(call.id, { resolve: resolve as (value: unknown) => void, reject });
        worker.ref();
      });
    },
    async close() {
      closing = true;
      if (pending.size > 0) await Promise.race([new Promise<void>((resolve) => (onIdle = resolve)), ended]);
      await terminate();
    },
    terminate,
  };

  async function terminate(): Promise<void> {
    await worker.terminate();
    await ended;
  }
}

function startWorker(script: URL, options: WorkerClientOptions): Worker {
  try {
    return new Worker(script, options);
  } catch (cause) {
    if (!isStarved(cause)) throw cause;
    throw new AppError('internal', `The ${options.name} worker cannot be started`, { retryable: true, cause });
  }
}
