import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

export interface ReservedPort {
  readonly port: number;
  release(): void;
}

/** Below the ephemeral range, so that no outgoing connection takes a reserved port. */
const lowest = 15_000;
const highest = 31_999;
const tries = 200;

/**
 * A free TCP port of 127.0.0.1. It stays reserved among all processes that use this function, even while its server is down
 * between a kill and a restart: the reservation is the UDP port of the same number, which the operating system releases
 * however the process ends.
 */
export async function reservePort(): Promise<ReservedPort> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    const token = await takeUdp(port);
    if (token === undefined) continue;
    if (await isFree(port)) return { port, release: token };
    token();
  }
  throw new Error(`No free port on 127.0.0.1 between ${lowest} and ${highest} after ${tries} tries`);
}

/** The port that a folder's server had before, for a server that must return at the same address. */
export async function reserveSamePort(port: number): Promise<ReservedPort> {
  const token = await takeUdp(port);
  if (token !== undefined && (await isFree(port))) return { port, release: token };
  token?.();
  throw new Error(`Port ${port} on 127.0.0.1, which this folder's server had before, is taken by another program`);
}

function takeUdp(port: number): Promise<(() => void) | undefined> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      let held = true;
      resolve(() => {
        if (held) socket.close();
        held = false;
      });
    });
  });
}

/** Without SO_REUSEPORT, binding fails if anybody listens. */
function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
