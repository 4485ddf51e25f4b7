import {
  type CallOptions,
  type Client,
  type ClientWritableStream,
  connectivityState,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { retry } from '@whetstone/platform';

/** A call that has failed, and whether its message was sent. */
export class FailedCall extends Error {
  readonly error: ServiceError;
  readonly messageSent: boolean;

  constructor(error: ServiceError, messageSent: boolean) {
    super(error.message, { cause: error });
    this.error = error;
    this.messageSent = messageSent;
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
 * For calls that must not be repeated: sends again only where no handler can have seen the call, because its message was
 * not sent. That happens while services restart: a connection ends before it has read the headers, or no other is there for
 * a moment.
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

function hasNotArrived({ error: { code }, messageSent }: FailedCall): boolean {
  return code === status.UNAVAILABLE && !messageSent;
}

/** Servers of earlier versions acknowledge nothing. Waited for twice: the first may pass while this process stands still. */
const acknowledgedWithinMs = 500;

interface AcknowledgedCall {
  path: string;
  message: Buffer;
  metadata: Metadata;
  options: CallOptions;
  onEnd(error: ServiceError | null, answer: Buffer | undefined, messageSent: boolean): void;
}

const asItIs = (bytes: Buffer) => bytes;

/** Sends the headers of a call, and its message once the server has acknowledged them. */
export function sendOnceAcknowledged(client: Client, call: AcknowledgedCall): ClientWritableStream<Buffer> {
  const { path, message, metadata, options, onEnd } = call;
  let messageSent = false;
  // On the wire a call with one message is the same as a stream of one.
  const stream = client.makeClientStreamRequest(path, asItIs, asItIs, metadata, options, (error, answer) => {
    clearTimeout(timer);
    onEnd(error, answer, messageSent);
  });
  const sendMessage = () => {
    clearTimeout(timer);
    if (messageSent) return;
    messageSent = true;
    stream.end(message);
  };
  let timer = setTimeout(() => {
    timer = setTimeout(sendMessage, acknowledgedWithinMs);
  }, acknowledgedWithinMs);
  return stream.once('metadata', sendMessage);
}
