import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { type Account, createAccounts } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
import { parseAnswers, type RawAnswer } from '../../support/raw-http.js';
import { target } from '../../support/target.js';

const { baseUrl, opsUrl } = target();
let account: Account;

beforeAll(async () => {
  account = await createAccounts().open();
});

describe('a client that keeps its side of a connection open', () => {
  it('does not keep ours: neither refused nor idle sockets stay', async () => {
    const before = await openFiles();
    const sockets: Socket[] = [];
    const hold = async (text: string) => {
      const { socket, received } = await talk(text);
      sockets.push(socket);
      return received;
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => [
        hold('nonsense\r\n\r\n'),
        hold('GET / HTTP/1.1\r\nHost: test\r\nX-Half: '),
        hold('GET / HTTP/1.1\r\nHost: test\r\n\r\n'),
        hold('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      ]).flat(),
    );

    expect(countsOf(answers.map(([answer]) => answer?.status))).toEqual({ 400: 50, 401: 50, 405: 50, 408: 50 });
    await eventually(async () => (await openFiles()) < before + sockets.length / 4 || undefined, {
      what: 'the server has closed its side',
    });
    for (const socket of sockets) socket.destroy();
  });
});

describe('one request gets one answer', () => {
  const key = () => `Host: test\r\nX-Api-Key: ${account.key}\r\n`;
  const brokenChunks = 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n';

  it('with malformed chunks', async () => {
    expect(await statusesOf(`POST /store_knowledge HTTP/1.1\r\n${key()}${brokenChunks}`)).toEqual([400]);
  });

  it('with malformed chunks behind what has been refused already', async () => {
    expect(await statusesOf(`POST /store_knowledge HTTP/1.1\r\nHost: test\r\n${brokenChunks}`)).toEqual([401]);
    expect(await statusesOf(`POST /nowhere HTTP/1.1\r\n${key()}${brokenChunks}`)).toEqual([404]);
  });

  it('with garbage behind it, and it is the right one', async () => {
    expect(await statusesOf(`GET / HTTP/1.1\r\n${key()}\r\nGARBAGE\r\n\r\n`)).toEqual([200]);
  });

  it('that asks for a tunnel', async () => {
    const [answer, ...more] = await answersTo(`CONNECT example.com:443 HTTP/1.1\r\n${key()}\r\n`);

    expect(more).toEqual([]);
    expect([answer?.status, answer?.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, POST']);
    expect(JSON.parse(answer?.text ?? '')).toEqual({
      error: 'method_not_allowed',
      message: expect.stringContaining('CONNECT'),
      request_id: answer?.headers.get('x-request-id'),
    });
  });
});

async function statusesOf(text: string): Promise<number[]> {
  return (await answersTo(text)).map(({ status }) => status);
}

async function answersTo(text: string): Promise<RawAnswer[]> {
  const { socket, received } = await talk(text);
  socket.destroy();
  return received;
}

/** Sends a text and reads until the server has ended its side. Our own side stays open. */
async function talk(text: string): Promise<{ socket: Socket; received: RawAnswer[] }> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port || 80), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'end');
  return { socket, received: parseAnswers(Buffer.concat(chunks)) };
}

function countsOf(statuses: (number | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[`${status}`] = (counts[`${status}`] ?? 0) + 1;
  return counts;
}

async function openFiles(): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_open_fds (\d+)$/m.exec(text)?.[1]);
}
