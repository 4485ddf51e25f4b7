import { parentPort } from 'node:worker_threads';

/** A call into a worker thread of the product. */
export interface WorkerCall {
  method: string;
  payload: unknown;
}

type Listener = (value: unknown) => void;

/** Intercepts every call into this worker thread. Does nothing in the main thread. */
export function onWorkerCall(pass: (call: WorkerCall) => void): void {
  if (parentPort === null) return;
  const port = parentPort as { on(event: string, listener: Listener): unknown };
  const listen = port.on.bind(port);
  port.on = (event, listener) => listen(event, event === 'message' ? inFrontOf(listener) : listener);

  function inFrontOf(listener: Listener): Listener {
    return (call) => {
      pass(call as WorkerCall);
      listener(call);
    };
  }
}
