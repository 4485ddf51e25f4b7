import { gzipSync } from 'node:zlib';

import { decodeMessage, encodeMessage } from './message-codec.js';

const message = { text: 'grüße \u0000 🙂', numbers: [1, 2.5], nested: { empty: null } };

describe('encodeMessage and decodeMessage', () => {
  it.each([false, true])('bring a message back as it was (gzip: %s)', async (gzip) => {
    expect(await decodeMessage(await encodeMessage(message, { gzip }))).toEqual(message);
  });

  it.each([false, true])('bring a large message back as it was (gzip: %s)', async (gzip) => {
    const large = { text: 'much to say '.repeat(200_000) };

    expect(await decodeMessage(await encodeMessage(large, { gzip }))).toEqual(large);
  });

  it('make a repetitive message smaller', async () => {
    const large = { text: 'much to say '.repeat(1000) };

    expect((await encodeMessage(large, { gzip: true })).length).toBeLessThan(500);
  });

  it('refuse a bomb instead of unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024));

    await expect(decodeMessage(bomb)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuse a small bomb that lies about its size', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    bomb.writeUInt32LE(5, bomb.length - 4);

    await expect(decodeMessage(bomb)).rejects.toMatchObject({ code: 'too_large' });
  });

  it.each(['', 'not json', '\x1f\x8bnot gzip at all, but it says so'])(
    'refuse what is no message: %j',
    async (text) => {
      await expect(decodeMessage(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code: 'invalid_argument' });
    },
  );
});
