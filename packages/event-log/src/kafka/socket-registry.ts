import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { ISocketFactory } from 'kafkajs';

const keepAliveMs = 60_000;

/**
 * Makes the connections of one client and can end them all. After a broker was away kafkajs loses sight of some, and a
 * consumer that is stopped meanwhile goes on trying: without this it could come back as a member of its group.
 */
export class SocketRegistry {
  readonly #sockets = new Set<Socket>();
  #destroyed = false;

  readonly create: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.#destroyed) throw new Error('The client is closed');
    const server = { host, port, ...(isIP(host) ? {} : { servername: host }) };
    const socket = ssl ? connectTls({ ...server, ...ssl }, onConnect) : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    // A request is one write: waiting for more would only delay it.
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Ends every connection and makes no further ones. */
  destroy(): void {
    this.#destroyed = true;
    for (const socket of this.#sockets) socket.destroy(new Error('The client is closed'));
  }
}
