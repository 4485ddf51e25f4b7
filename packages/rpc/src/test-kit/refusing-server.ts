import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface RefusingServer {
  target: string;
  /** Calls that came so far. */
  calls(): number;
  close(): Promise<void>;
}

/** A server that refuses its first calls unread, in the way of HTTP/2, and answers the others with an empty message. */
export async function refusingServer(refusals: number): Promise<RefusingServer> {
  let calls = 0;
  const sessions = new Set<{ destroy(): void }>();
  const server = createServer().on('session', (session) => sessions.add(session));
  server.on('stream', (stream) => {
    calls++;
    stream.on('error', () => {});
    if (calls <= refusals) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    target: `ipv4:127.0.0.1:${port}`,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
