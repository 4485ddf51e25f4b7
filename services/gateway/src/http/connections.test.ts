import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { call } from '../test-kit/call.js';
import { gatewaysOfATest } from '../test-kit/gateways-of-a-test.js';
import { networkOf } from './connections.js';

const start = gatewaysOfATest();

describe('connections', () => {
  it('beyond the limit of an address are answered with 503 and closed, and the others go on', async () => {
    const { gateway, key, registry } = await start({ config: { connections: { perProcess: 100, perAddress: 10 } } });
    const { open, ask } = clientsOf(gateway.address?.port as number, key);
    const sockets = await Promise.all(Array.from({ length: 8 }, open));
    for (const socket of sockets) expect(await ask(socket)).toContain('200 OK');

    const more = await Promise.all(Array.from({ length: 8 }, async () => everythingFrom(await open(), 1000)));

    const refused = more.filter((answer) => answer !== '');
    expect(refused.length).toBeGreaterThanOrEqual(6);
    for (const answer of refused) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n/);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ error: 'too_many_connections' });
    }
    expect(await ask(sockets[0] as Socket)).toContain('200 OK');
    expect(await registry.metrics()).toContain(
      `whetstone_connections_refused_total{limit="address"} ${refused.length}`,
    );
    for (const socket of sockets) socket.destroy();
  });

  it('that are idle make room when the process is near its limit', async () => {
    const { gateway, url, key, registry } = await start({ config: { connections: { perProcess: 10, perAddress: 0 } } });
    const { open, ask } = clientsOf(gateway.address?.port as number, key);
    for (let count = 0; count < 30; count++) await ask(await open());

    expect((await call(url, 'GET', '/', { key })).status).toBe(200);
    expect(await registry.metrics()).toContain('whetstone_connections_refused_total{limit="process"} 0');
  });

  it('from one IPv6 network count as one address', () => {
    expect(networkOf('2001:db8:1:2::5')).toBe(networkOf('2001:db8:1:2:aaaa:bbbb:cccc:dddd'));
    expect(networkOf('2001:db8:1:2::5')).not.toBe(networkOf('2001:db8:1:3::5'));
    expect(networkOf('::ffff:192.0.2.1')).not.toBe(networkOf('::ffff:192.0.2.2'));
  });
});

function clientsOf(port: number, key: string) {
  return {
    async open(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket;
    },
    async ask(socket: Socket): Promise<string> {
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      return String(answer);
    },
  };
}

/** What the server sends until it closes the connection, or within a time. */
async function everythingFrom(socket: Socket, withinMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.setTimeout(withinMs, () => socket.destroy());
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
