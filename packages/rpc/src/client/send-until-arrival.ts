import { type Client, connectivityState, type ServiceError, status } from '@grpc/grpc-js';
import { retry } from '@whetstone/platform';

/** A call that has failed, and whether any connection was found to send it on. */
export class FailedCall extends Error {
  readonly error: ServiceError;
  readonly wasSent: boolean;

  constructor(error: ServiceError, wasSent: boolean) {
    super(error.message, { cause: error });
    this.error = error;
    this.wasSent = wasSent;
  }
}

export interface Sending {
  client: Client;
  /** One try. Rejects with FailedCall. */
  send(): Promise<Buffer>;
  /** How long to go on while nothing arrives. */
  withinMs: number;
  signal: AbortSignal | undefined;
}

/**
 * For calls that must not be repeated: sends again only where no handler can have seen the call. That happens while services
 * restart: a connection ends before it has read the call, or no other is there for a moment.
 */
export function sendUntilArrival({ client, send, withinMs, signal }: Sending): Promise<Buffer> {
  const begunMs = performance.now();
  const attempt = async () => {
    await waitForConnection(client, begunMs + withinMs - performance.now());
    return send();
  };
  const retryIf = (error: unknown) => !signal?.aborted && error instanceof FailedCall && hasNotArrived(error);
  return retry(attempt, { retryIf, withinMs, firstWaitMs: 10, longestWaitMs: 160 });
}

/** Where every connection has failed, gives the next one the time to succeed. */
async function waitForConnection(client: Client, withinMs: number): Promise<void> {
  const isDown = () => client.getChannel().getConnectivityState(true) === connectivityState.TRANSIENT_FAILURE;
  if (isDown()) await new Promise<void>((resolve) => client.waitForReady(Date.now() + withinMs, () => resolve()));
}

/**
 * HTTP/2 has a code for streams that a server has not touched (REFUSED_STREAM). The library keeps it to itself: of all that
 * it reports, only these words are particular to it. A test fails if they change.
 */
const refusedStream = 'Stream refused by server';

function hasNotArrived({ error: { code, details, metadata }, wasSent }: FailedCall): boolean {
  if (code !== status.UNAVAILABLE) return false;
  // A server or a proxy that answers, whatever its words, sends headers too.
  const wasAnswered = Object.keys(metadata.getMap()).length > 0;
  return !wasSent || (!wasAnswered && details === refusedStream);
}
