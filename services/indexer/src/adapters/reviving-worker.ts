import { AppError, type WorkerCallOptions, type WorkerClient } from '@whetstone/platform';

/** A worker thread that is started again when it dies: the call that it dies under fails, the next one finds a new thread. */
interface RevivingWorker {
  call<Result>(method: string, payload: unknown, options?: WorkerCallOptions): Promise<Result>;
  /** Waits for calls under way and ends the thread; later calls are rejected. */
  close(): Promise<void>;
}

interface RevivingWorkerOptions {
  start(): WorkerClient;
  /** Makes a new thread ready for calls; what it rejects with, the waiting calls get. */
  prepare(client: WorkerClient): Promise<unknown>;
  onDeath(error: Error | undefined): void;
}

export function createRevivingWorker({ start, prepare, onDeath }: RevivingWorkerOptions): RevivingWorker {
  let current: Promise<WorkerClient> | undefined;
  let closed = false;

  async function revive(): Promise<WorkerClient> {
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
    const starting = revive();
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
