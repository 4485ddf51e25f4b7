import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface WireTap {
  target: string;
  /** Where it listens. */
  at: number;
  /** Connections that were made through it so far. */
  connections(): number;
  /** Cuts all connections, as a machine does that loses its power. */
  cut(): void;
  /** Carries nothing any more and tells nobody, as a network does that loses a machine. */
  freeze(): void;
  close(): Promise<void>;
}

/** A line between a client and a server that can be counted on, and cut. */
export async function tapWire(port: number, listenAt = 0): Promise<WireTap> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let frozen = false;
  const server = createServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    near.on('data', (bytes) => !frozen && far.write(bytes));
    far.on('data', (bytes) => !frozen && near.write(bytes));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(listenAt, '127.0.0.1', resolve));
  const { port: at } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    target: `ipv4:127.0.0.1:${at}`,
    at,
    connections: () => connections,
    cut,
    freeze() {
      frozen = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
