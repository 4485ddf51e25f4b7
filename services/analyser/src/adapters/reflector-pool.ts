import { AppError } from '@whetstone/platform';

import type { InsightProducer, Outline, Reflection } from '../domain/ports.js';
import { createReflectorThread, type ReflectorThread, type ReflectorThreadConfig } from './reflector-thread.js';
import type { AnalysisName } from './reflector-worker.js';

export interface ReflectorPoolConfig extends ReflectorThreadConfig {
  threads: number;
}

/** The reflector, and everything else that its threads do with runs. Both reject as the port says. */
export interface ReflectorPool extends InsightProducer {
  call<Result>(name: AnalysisName, argument: unknown, signal: AbortSignal): Promise<Result>;
}

interface Waiter {
  give(thread: ReflectorThread): void;
  refuse(reason: unknown): void;
}

/**
 * The reflector in worker threads. Analyses wait for a free thread in order of arrival; the time limit starts
 * when they have one, so that a slow neighbour costs others a wait and never a try.
 */
export function createReflectorPool(
  config: ReflectorPoolConfig,
  script: URL = new URL('./reflector-worker.js', import.meta.url),
): ReflectorPool {
  const threads = Array.from({ length: config.threads }, () => createReflectorThread(script, config));
  const free = [...threads];
  const waiting = new Set<Waiter>();
  let closed: AppError | undefined;

  return {
    produce: (run, signal) => call<Reflection>('reflect', run, signal),
    outline: (packed, signal) => call<Outline>('outline', packed, signal),
    call,
    async close() {
      closed ??= new AppError('cancelled', 'The reflector is closed');
      for (const waiter of waiting) waiter.refuse(closed);
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };

  async function call<Result>(name: AnalysisName, argument: unknown, signal: AbortSignal): Promise<Result> {
    const thread = await take(signal);
    try {
      return await thread.call<Result>(name, argument, signal);
    } finally {
      giveBack(thread);
    }
  }

  async function take(signal: AbortSignal): Promise<ReflectorThread> {
    signal.throwIfAborted();
    if (closed) throw closed;
    return free.pop() ?? waitForThread(signal);
  }

  function waitForThread(signal: AbortSignal): Promise<ReflectorThread> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => waiter.refuse(signal.reason);
      const waiter: Waiter = {
        give(thread) {
          leave();
          resolve(thread);
        },
        refuse(reason) {
          leave();
          reject(reason);
        },
      };
      waiting.add(waiter);
      signal.addEventListener('abort', onAbort);
    });
  }

  function giveBack(thread: ReflectorThread): void {
    const [next] = waiting;
    if (next) next.give(thread);
    else free.push(thread);
  }
}
