import { setTimeout as pause } from 'node:timers/promises';

import { type Client, connectivityState, type ServiceError, status } from '@grpc/grpc-js';

export interface Sending {
  client: Client;
  /** One go. Rejects with the ServiceError of the call. */
  send(): Promise<Buffer>;
  /** For how long to go on where nothing arrives. */
  withinMs: number;
  signal: AbortSignal | undefined;
}

const longestPauseMs = 160;

/**
 * For calls that nobody may repeat: sent again only where it is certain that no handler has seen them. While services are
 * restarted that is what happens to calls: a connection ends before it has read them, or no other is there for a moment.
 */
export async function sendUntilItArrives({ client, send, withinMs, signal }: Sending): Promise<Buffer> {
  const until = Date.now() + withinMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await connection(client, until);
    try {
      return await send();
    } catch (error) {
      if (!hasNotArrived(error as ServiceError) || signal?.aborted || Date.now() >= until) throw error;
    }
    await pause(pauseMs);
  }
}

/** Where every connection has failed, gives one that is being made the time to succeed. */
async function connection(client: Client, until: number): Promise<void> {
  const isDown = () => client.getChannel().getConnectivityState(true) === connectivityState.TRANSIENT_FAILURE;
  if (isDown()) await new Promise<void>((resolve) => client.waitForReady(until, () => resolve()));
}

/**
 * The client found no connection to send it on, or the server ended the stream by the one code of HTTP/2 that says that
 * nothing was done with it. The library tells neither in another way than by these words.
 */
function hasNotArrived({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && /^Stream refused by server$|\bNo connection established\b/.test(details);
}
