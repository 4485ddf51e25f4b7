import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Front, startFront, type Upstream } from './start-front.js';

const closing: Server[] = [];
let front: Front | undefined;

afterEach(async () => {
  await front?.stop();
  await Promise.all(closing.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

interface Answering extends Upstream {
  ready: boolean;
  close(): Promise<void>;
}

/** A server that answers with its name, and at /readyz whether it is ready. */
async function answering(name: string): Promise<Answering> {
  const server = createServer((request, answer) => {
    answer.setHeader('connection', 'close');
    if (request.url === '/readyz') answer.statusCode = upstream.ready ? 200 : 503;
    answer.end(name);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(server);
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const upstream = { port, readyUrl: `http://127.0.0.1:${port}/readyz`, ready: true, close };
  return upstream;
}

async function frontOf(...upstreams: Upstream[]): Promise<Front> {
  front = await startFront(upstreams);
  return front;
}

const ask = async (url: string) => (await fetch(url)).text();

async function namesSeen(url: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let count = 0; count < 4; count++) names.add(await ask(url));
  return names;
}

async function untilSeen(url: string, expected: string[]): Promise<void> {
  while ([...(await namesSeen(url))].sort().join() !== expected.join()) await sleep(50);
}

describe('one address before several servers', () => {
  it('takes them in turn', async () => {
    const { url } = await frontOf(await answering('a'), await answering('b'));
    expect(await namesSeen(url)).toEqual(new Set(['a', 'b']));
  });

  it('goes to another where one takes no connections, without anybody noticing', async () => {
    const [a, b] = [await answering('a'), await answering('b')];
    const { url } = await frontOf(a, b);
    await b.close();
    expect(await namesSeen(url)).toEqual(new Set(['a']));
  });

  it('leaves out one that is not ready for as long as it is not', async () => {
    const [a, b] = [await answering('a'), await answering('b')];
    const { url } = await frontOf(a, b);
    b.ready = false;
    await untilSeen(url, ['a']);
    b.ready = true;
    await untilSeen(url, ['a', 'b']);
  });

  it('goes to those that are not ready when no other is left', async () => {
    const a = await answering('a');
    const { url } = await frontOf(a);
    a.ready = false;
    await sleep(600);
    expect(await ask(url)).toBe('a');
  });

  it('passes on the answer to a client that has ended its side', async () => {
    const echo = createTcpServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    closing.push(echo);
    const { port } = echo.address() as AddressInfo;
    const { url } = await frontOf({ port, readyUrl: 'http://127.0.0.1:1/' });
    const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    client.end('said and done');
    const received = await client.toArray();
    expect(Buffer.concat(received).toString()).toBe('said and done');
  });

  it('closes the connection where nobody is there', async () => {
    const a = await answering('a');
    const { url } = await frontOf(a);
    await a.close();
    await expect(ask(url)).rejects.toThrow();
  });
});
