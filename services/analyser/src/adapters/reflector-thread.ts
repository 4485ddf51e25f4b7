import { AppError, createWorkerClient, isAppError, type WorkerClient, withTimeout } from '@whetstone/platform';

import type { AnalysisName } from './reflector-worker.js';

export interface ReflectorThreadConfig {
  /** Heap limit; a thread that needs more is terminated. */
  memoryMb: number;
  /** Of one analysis. */
  timeoutMs: number;
  /** A thread that is idle for so long is terminated; the next analysis starts another. */
  idleMs: number;
}

/** One worker thread, started on demand, for one analysis at a time. */
export interface ReflectorThread {
  call<Result>(name: AnalysisName, argument: unknown, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
}

export function createReflectorThread(script: URL, config: ReflectorThreadConfig): ReflectorThread {
  const { memoryMb, timeoutMs, idleMs } = config;
  const tookTooLong = () => new AppError('analysis_timeout', `The analysis took longer than ${timeoutMs} ms`);
  let worker: WorkerClient | undefined;
  let idle: NodeJS.Timeout | undefined;

  return {
    async call<Result>(name: AnalysisName, argument: unknown, signal: AbortSignal): Promise<Result> {
      clearTimeout(idle);
      try {
        worker ??= createWorkerClient(script, {
          name: 'reflector',
          resourceLimits: { maxOldGenerationSizeMb: memoryMb },
        });
        const { call } = worker;
        return await withTimeout(timeoutMs, () => call<Result>(name, argument), { signal, error: tookTooLong });
      } catch (error) {
        // The thread may hang or be broken: the next analysis gets a new one.
        await close();
        signal.throwIfAborted();
        throw toAnalysisError(error);
      } finally {
        idle = setTimeout(() => void close(), idleMs).unref();
      }
    },
    close,
  };

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }
}

function toAnalysisError(error: unknown): AppError {
  if (isAppError(error, 'analysis_timeout') || isAppError(error, 'analysis_failed')) return error;
  if (isAppError(error) && error.retryable) {
    const message = 'No thread for the analysis: out of descriptors, threads or memory';
    return new AppError('analyser_unavailable', message, { retryable: true, cause: error });
  }
  const { cause } = error as Error;
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('analysis_failed', 'The analysis needed more memory than it may have', { cause });
  }
  // The message may quote the run, which records of the job must not do. Log lines have it, as the cause.
  const [kind = 'error'] = (typeof cause === 'string' && /^\w+/.exec(cause)) || [];
  return new AppError('analysis_failed', `The analysis failed (${kind}); the analyser's log says why`, {
    cause: error,
  });
}
