import { AppError, type WorkerCallOptions, type WorkerClient } from '@whetstone/platform';

/** A worker thread that restarts after it dies: calls in progress fail, the next call starts a new thread. */
interface RevivingWorker {
  call<Result>(method: string, payload: unknown, options?: WorkerCallOptions): Promise<Result>;
  /** Waits for calls in progress, then ends the thread; later calls are rejected. */
  close(): Promise<void>;
}

interface RevivingWorkerOptions {
  start(): WorkerClient;
  /** Prepares a new thread for calls; if it rejects, waiting calls reject with the same error. */
  prepare(client: WorkerClient): Promise<unknown>;
  onDeath(error: Error | undefined): void;
}

export function createRevivingWorker({ start, prepare, onDeath }: RevivingWorkerOptions): RevivingWorker {
  let current: Promise<WorkerClient> | undefined;
  let closed = false;

  async function startPrepared(): Promise<WorkerClient> {
    const client = start();
    try {
      await prepare(client);
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  function running(): Promise<WorkerClient> {
    if (current) return current;
    const starting = startPrepared();
    current = starting;
    const forget = () => {
      if (current === starting) current = undefined;
    };
    starting.then(async (client) => {
      const error = await client.ended;
      forget();
      if (!closed) onDeath(error);
    }, forget);
    return starting;
  }

  return {
    async call<Result>(method: string, payload: unknown, options?: WorkerCallOptions) {
      if (closed) throw new AppError('store_unavailable', 'Already closed');
      const client = await running();
      return client.call<Result>(method, payload, options);
    },
    async close() {
      closed = true;
      const client = await current?.catch(() => undefined);
      await client?.close();
    },
  };
}
