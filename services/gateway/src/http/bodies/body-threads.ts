import { FairPool } from '@whetstone/event-log';
import { createWorkerClient, type Logger, type WorkerClient, withTimeout } from '@whetstone/platform';
import { overloaded, type Refusal } from '../refusals.js';
import type { BodyAnswer, BodyCalls, BodyWorkerData } from './body-worker.js';

interface BodyThreadsOptions extends BodyWorkerData {
  threads: number;
  logger: Logger;
  onOverloaded(): void;
  /** The script of a thread; a test replaces it. */
  script?: URL;
  /** Of one body in a thread. */
  timeoutMs?: number;
}

interface Turn {
  /** Accounts take turns. */
  account: string;
  /** How long a body may wait for its turn. */
  waitMs: number;
  signal: AbortSignal;
}

export interface BodyThreads {
  /** Throws a Refusal, with 503 if the turn of the body did not come in time or its thread failed. */
  call<Method extends keyof BodyCalls>(
    method: Method,
    given: BodyCalls[Method]['given'],
    turn: Turn,
  ): Promise<BodyAnswer<BodyCalls[Method]['made']>>;
  close(): Promise<void>;
}

/** Heap of a thread, in sizes of the largest body: parsed JSON can take fifty times its size. */
const heapBodies = 64;
/** A thread's own code needs some of it. */
const leastHeapMb = 64;
const largestShared = 1024 * 1024;
const defaultTimeoutMs = 30_000;
/** Threads that are idle for so long end and give back their memory. */
const idleMs = 60_000;

/** A few threads that read large bodies, so that none of them holds up the event loop. */
export function createBodyThreads(options: BodyThreadsOptions): BodyThreads {
  const { threads, maxBytes, maxBatchBytes, redaction, logger, onOverloaded, timeoutMs = defaultTimeoutMs } = options;
  const script = options.script ?? new URL('./body-worker.js', import.meta.url);
  const heapMb = Math.max(leastHeapMb, Math.ceil((maxBytes * heapBodies) / 1024 ** 2));
  const pool = new FairPool(threads);
  const running = new Set<WorkerClient>();
  const idle: WorkerClient[] = [];
  const idleTimer = setTimeout(endIdle, idleMs).unref();
  let isClosed = false;

  function start(): WorkerClient {
    const workerData: BodyWorkerData = { maxBytes, maxBatchBytes, redaction };
    const resourceLimits = { maxOldGenerationSizeMb: heapMb };
    try {
      return createWorkerClient(script, { name: 'bodies', workerData, resourceLimits });
    } catch (error) {
      logger.warn({ err: error }, 'No thread could be started to read a request body');
      throw busy();
    }
  }

  async function callThread<Result>(method: string, given: BodyCalls[keyof BodyCalls]['given']): Promise<Result> {
    const thread = idle.pop() ?? start();
    running.add(thread);
    try {
      const { bytes, isZipped } = given.body;
      // Views of a shared buffer would move all of it. Node shares none that is so large.
      const isOwn = bytes.byteLength === bytes.buffer.byteLength || bytes.byteLength > largestShared;
      const own = isOwn ? bytes : new Uint8Array(bytes);
      const payload = { ...given, body: { bytes: own, isZipped } };
      const call = () => thread.call<Result>(method, payload, { transfer: [own.buffer as ArrayBuffer] });
      const result = await withTimeout(timeoutMs, call);
      idle.push(thread);
      idleTimer.refresh();
      return result;
    } catch (error) {
      await thread.terminate();
      if (!isClosed) logger.warn({ err: error }, 'A thread failed to read a request body; replacing it');
      throw busy();
    } finally {
      running.delete(thread);
    }
  }

  function busy(): Refusal {
    onOverloaded();
    return overloaded();
  }

  function endIdle(): void {
    for (const thread of idle.splice(0)) void thread.terminate();
  }

  return {
    call<Method extends keyof BodyCalls>(method: Method, given: BodyCalls[Method]['given'], turn: Turn) {
      type Answer = BodyAnswer<BodyCalls[Method]['made']>;
      const { account, waitMs, signal } = turn;
      return new Promise<Answer>((resolve, reject) => {
        const task = {
          lane: { account, collection: '' },
          async run() {
            stopWaiting();
            await callThread<Answer>(method, given).then(resolve, reject);
          },
        };
        const giveUp = (error: unknown) => {
          stopWaiting();
          pool.cancel(task);
          reject(error);
        };
        const onAbort = () => giveUp(signal.reason);
        const timer = setTimeout(() => giveUp(busy()), waitMs);
        const stopWaiting = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        if (isClosed || signal.aborted) giveUp(isClosed ? busy() : signal.reason);
        else pool.add(task);
      });
    },
    async close() {
      isClosed = true;
      pool.clear();
      clearTimeout(idleTimer);
      await Promise.all([...running, ...idle.splice(0)].map((thread) => thread.terminate()));
    },
  };
}
