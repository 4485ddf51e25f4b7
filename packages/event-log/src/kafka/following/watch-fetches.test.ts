import { connect, createServer, type Socket } from 'node:net';

import type { EmptyStretch } from './fetch-messages.js';
import { fetchAnswerFrame, fetchRequestFrame, withLength } from './test-kit/fetch-frames.js';
import { watchFetches } from './watch-fetches.js';

describe('a watched connection', () => {
  const ends: (() => void)[] = [];

  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  it('carries everything unchanged and tells what was asked and that there is nothing', async () => {
    const answer = withLength(fetchAnswerFrame(11, 5, [{ partition: 2, highWatermark: 30 }]));
    const { socket, received, asked, empty } = await setUp(answer);
    const request = withLength(fetchRequestFrame(11, 5, [[2, 12]]));

    socket.write(request, 'binary');
    await untilBytes(socket, answer.length);

    expect(Buffer.concat(received)).toEqual(request);
    expect(asked).toEqual([new Map([[2, 12]])]);
    expect(empty).toEqual([{ partition: 2, from: 12, until: 30, hasHeaders: false }]);
  });

  it('takes an answer that comes in pieces, and leaves alone what is no answer to a fetch', async () => {
    const other = withLength(Buffer.from('0000000400000000', 'hex'));
    const answer = withLength(fetchAnswerFrame(11, 5, [{ partition: 0, highWatermark: 30 }]));
    const { socket, empty } = await setUp(Buffer.concat([other, answer]), 7);

    socket.write(withLength(fetchRequestFrame(11, 5, [[0, 12]])), 'binary');
    await untilBytes(socket, other.length + answer.length);

    expect(empty).toMatchObject([{ partition: 0, until: 30 }]);
  });

  it('goes on after an answer that cannot be read', async () => {
    const broken = withLength(fetchAnswerFrame(11, 5, [{ partition: 0, highWatermark: 30 }]).subarray(0, 40));
    const { socket, empty } = await setUp(broken);

    socket.write(withLength(fetchRequestFrame(11, 5, [[0, 12]])), 'binary');
    await untilBytes(socket, broken.length);

    expect(empty).toEqual([]);
  });

  it('goes on after the empty answer that old brokers give to a login', async () => {
    const login = withLength(Buffer.alloc(0));
    const answer = withLength(fetchAnswerFrame(11, 5, [{ partition: 0, highWatermark: 30 }]));
    const { socket, empty } = await setUp(Buffer.concat([login, answer]));

    socket.write(withLength(fetchRequestFrame(11, 5, [[0, 12]])), 'binary');
    await untilBytes(socket, login.length + answer.length);

    expect(empty).toMatchObject([{ partition: 0, until: 30 }]);
  });

  async function setUp(answer: Buffer, pieceBytes = answer.length) {
    const received: Buffer[] = [];
    const server = createServer((peer) => {
      peer.setNoDelay(true);
      peer.once('data', async (piece) => {
        received.push(piece);
        for (let at = 0; at < answer.length; at += pieceBytes) {
          peer.write(answer.subarray(at, at + pieceBytes));
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
    const socket = connect(address.port, '127.0.0.1');
    ends.push(
      () => socket.destroy(),
      () => server.close(),
    );
    const asked: ReadonlyMap<number, number>[] = [];
    const empty: EmptyStretch[] = [];
    watchFetches(socket, {
      onAsked: (offsets) => asked.push(offsets),
      onEmpty: (stretches) => empty.push(...stretches),
    });
    return { socket, received, asked, empty };
  }
});

async function untilBytes(socket: Socket, count: number): Promise<void> {
  while (socket.bytesRead < count) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
