import { type Client, connectivityState } from '@grpc/grpc-js';

/**
 * Where every connection has failed, gives one that is being made the time to succeed: for calls that nobody may repeat, and
 * that would fail at once although the service is just back.
 */
export async function connectionWithin(limitMs: number, client: Client): Promise<void> {
  const isDown = () => client.getChannel().getConnectivityState(true) === connectivityState.TRANSIENT_FAILURE;
  if (isDown()) await new Promise<void>((resolve) => client.waitForReady(Date.now() + limitMs, () => resolve()));
}
