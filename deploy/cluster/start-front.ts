import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { reservePort } from '../engines/reserve-port.js';
import { answersOk } from './replicas.js';

export interface Upstream {
  /** Of 127.0.0.1. */
  port: number;
  /** Answers 200 while it wants traffic. */
  readyUrl: string;
}

export interface Front {
  readonly url: string;
  stop(): Promise<void>;
}

const probeEveryMs = 250;
const connectWithinMs = 2_000;

/**
 * A TCP load balancer: each new connection goes to the next ready server, and to another one if that does not accept it.
 */
export async function startFront(upstreams: readonly Upstream[]): Promise<Front> {
  const { port, release } = await reservePort();
  const ready = new Set(upstreams);
  const open = new Set<Socket>();
  const stopping = new AbortController();
  let turn = 0;

  /** Ready ones first. If none is ready, the server's own error says more than a closed connection. */
  function candidates(): Upstream[] {
    turn = (turn + 1) % upstreams.length;
    const inTurn = [...upstreams.slice(turn), ...upstreams.slice(0, turn)];
    return [...inTurn.filter((one) => ready.has(one)), ...inTurn.filter((one) => !ready.has(one))];
  }

  // Half-open connections stay half-open: the other side may still answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    keep(client);
    void firstThatConnects(candidates()).then((upstream) => {
      if (upstream === undefined || client.destroyed) {
        client.destroy();
        upstream?.destroy();
        return;
      }
      keep(upstream);
      join(client, upstream);
    });
  });

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  }

  async function watch(upstream: Upstream): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await answersOk(upstream.readyUrl, stopping.signal)) ready.add(upstream);
      else ready.delete(upstream);
      await sleep(probeEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const watching = upstreams.map(watch);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      stopping.abort();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(watching);
      release();
    },
  };
}

async function firstThatConnects(upstreams: readonly Upstream[]): Promise<Socket | undefined> {
  for (const { port } of upstreams) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const signal = AbortSignal.timeout(connectWithinMs);
    const connected = await once(socket, 'connect', { signal }).then(
      () => true,
      () => false,
    );
    if (connected) return socket;
    socket.destroy();
  }
  return undefined;
}

/** A connection that breaks on one side breaks on the other. */
function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream);
  upstream.pipe(client);
  client.once('close', (broken) => (broken ? upstream.resetAndDestroy() : upstream.destroy()));
  upstream.once('close', (broken) => (broken ? client.resetAndDestroy() : client.destroy()));
}
