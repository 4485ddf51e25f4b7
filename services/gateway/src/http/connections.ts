import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type RawRefusal, writeRefusal } from './http-server.js';

export interface ConnectionLimits {
  perProcess: number;
  /** 0 for no limit, as behind a proxy, where all connections come from one address. */
  perAddress: number;
}

export type ConnectionLimit = 'process' | 'address';

const tooMany: RawRefusal = {
  status: 503,
  phrase: 'Service Unavailable',
  error: 'too_many_connections',
  message: 'Too many connections are open; retry after the time in Retry-After',
  headers: ['Retry-After', '1'],
};
/** From this share of the limit on, idle connections make room for new ones. */
const crowdedShare = 0.9;

/** Answers connections beyond the limits with 503 and closes them at once. Returns the number of open connections. */
export function limitConnections(
  server: Server,
  { perProcess, perAddress }: ConnectionLimits,
  onRefused: (limit: ConnectionLimit) => void,
): () => number {
  const byAddress = new Map<string, number>();
  let open = 0;

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress);
    const ofAddress = (byAddress.get(address) ?? 0) + 1;
    open++;
    byAddress.set(address, ofAddress);
    socket.once('close', () => release(address));
    if (open >= perProcess * crowdedShare) server.closeIdleConnections();
    if (open > perProcess) refuse(socket, 'process');
    else if (perAddress > 0 && ofAddress > perAddress) refuse(socket, 'address');
  });
  return () => open;

  function release(address: string): void {
    const left = (byAddress.get(address) ?? 0) - 1;
    open--;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  }

  function refuse(socket: Socket, limit: ConnectionLimit): void {
    onRefused(limit);
    writeRefusal(socket, tooMany);
    socket.end(() => socket.destroy());
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, which one client usually has to itself. */
export function networkOf(address = ''): string {
  if (address.includes('.')) return address;
  const [beforeZeros = ''] = address.split('::');
  return beforeZeros.split(':').slice(0, 4).join(':');
}
