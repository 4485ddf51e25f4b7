import { isMainThread, parentPort } from 'node:worker_threads';

/**
 * Loaded before an analyser: in the threads of its reflector every analysis then takes 200 ms longer, as one by a model
 * would, without using a core meanwhile.
 */
const slownessMs = 200;

if (!isMainThread && parentPort) {
  const port = parentPort;
  const listen = port.on.bind(port);
  port.on = ((event: string, listener: (message: unknown) => void) =>
    listen(
      event as 'message',
      event === 'message' ? (message: unknown) => setTimeout(listener, slownessMs, message) : listener,
    )) as typeof port.on;
}
