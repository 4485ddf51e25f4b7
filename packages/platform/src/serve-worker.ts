import { parentPort, type Transferable } from 'node:worker_threads';

import { flattenError, type WorkerAnswer, type WorkerCall } from './worker-protocol.js';

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
