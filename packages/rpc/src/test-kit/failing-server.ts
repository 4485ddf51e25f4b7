import { Server, ServerCredentials, status } from '@grpc/grpc-js';

import { methodsOf } from '../rpc-services.js';
import { acknowledgeCalls } from '../server/acknowledge-calls.js';
import { createOpenCalls } from '../server/open-calls.js';
import type { AnyHandler } from '../server/serve-call.js';
import { createWire } from '../wire.js';
import { plainHandlers } from './messages.js';

export interface FailingServer {
  target: string;
  /** How often any method was called. */
  calls(): number;
  close(): void;
}

/**
 * An indexer whose first calls end as they do when a proxy has lost it: unavailable, without a word of the service itself.
 */
export async function failingServer(
  failures: number,
  { details = 'upstream connect error', acknowledges = true } = {},
): Promise<FailingServer> {
  let calls = 0;
  const acknowledge = acknowledgeCalls(methodsOf('indexer').values(), createOpenCalls());
  const server = new Server({ interceptors: acknowledges ? [acknowledge] : [] });
  const handlers = Object.entries(plainHandlers.indexer).map(([name, handler]) => [
    name,
    (call: { request: never }, respond: (error: unknown, result?: unknown) => void) => {
      calls++;
      if (calls <= failures) respond({ code: status.UNAVAILABLE, details });
      else void (handler as AnyHandler)(call.request, {}).then((result) => respond(null, result));
    },
  ]);
  server.addService(createWire().indexer as never, Object.fromEntries(handlers));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    target: `ipv4:127.0.0.1:${port}`,
    calls: () => calls,
    close: () => server.forceShutdown(),
  };
}
