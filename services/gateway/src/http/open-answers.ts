import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks unfinished answers, so that a stop waits for them alone. */
export interface OpenAnswers {
  add(res: ServerResponse): void;
  delete(res: ServerResponse): void;
  watch(server: Server): void;
  /** From now on every connection closes after its answer. */
  drain(): void;
  /** Closes idle connections now, and each of the others after its answer. */
  closeConnections(): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isClosing = false;

  return {
    add(res) {
      if (isClosing) res.setHeader('Connection', 'close');
      open.add(res);
    },
    delete: (res) => open.delete(res),
    watch(server) {
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    },
    drain() {
      isClosing = true;
    },
    closeConnections() {
      isClosing = true;
      const busy = new Set([...open].map(({ socket }) => socket));
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
      for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}
