import { gzipSync } from 'node:zlib';

import { decodeMessage, decodeMessageSync, encodeMessage, unpackedBytes } from './message-codec.js';

const message = { text: 'grüße \u0000 🙂', numbers: [1, 2.5], nested: { empty: null } };

describe('encodeMessage and decodeMessage', () => {
  it.each([false, true])('bring a message back as it was (gzip: %s)', async (gzip) => {
    expect(await decodeMessage(await encodeMessage(message, { gzip }))).toEqual(message);
  });

  it.each([false, true])('bring a large message back as it was (gzip: %s)', async (gzip) => {
    const large = { text: 'much to say '.repeat(200_000) };

    const bytes = await encodeMessage(large, { gzip });

    expect(await decodeMessage(bytes)).toEqual(large);
    expect(decodeMessageSync(bytes)).toEqual(large);
  });

  it.each([false, true])('tell how much there is to read before it is unpacked (gzip: %s)', async (gzip) => {
    const large = { text: 'much to say '.repeat(10_000) };

    expect(unpackedBytes(await encodeMessage(large, { gzip }))).toBe(Buffer.byteLength(JSON.stringify(large)));
  });

  it('make a repetitive message smaller', async () => {
    const large = { text: 'much to say '.repeat(1000) };

    expect((await encodeMessage(large, { gzip: true })).length).toBeLessThan(500);
  });

  it('refuse a bomb instead of unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024));

    await expect(decodeMessage(bomb)).rejects.toMatchObject({ code: 'too_large' });
    expect(() => decodeMessageSync(bomb)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('refuse a small bomb that lies about its size', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    bomb.writeUInt32LE(5, bomb.length - 4);

    await expect(decodeMessage(bomb)).rejects.toMatchObject({ code: 'too_large' });
  });

  it.each(['', 'not json', '\x1f\x8bnot gzip at all, but it says so'])(
    'refuse what is no message: %j',
    async (text) => {
      const bytes = Buffer.from(text, 'latin1');

      await expect(decodeMessage(bytes)).rejects.toMatchObject({ code: 'invalid_argument' });
      expect(() => decodeMessageSync(bytes)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    },
  );
});
