import fc from 'fast-check';

import { decodeBase32, encodeBase32 } from './id-parts.js';

const bytes = fc.uint8Array({ maxLength: 40 });

describe('base32', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        expect(Array.from(decodeBase32(encodeBase32(given)) ?? [])).toEqual(Array.from(given));
      }),
    );
  });

  it('sorts as the bytes do', () => {
    const pair = fc.nat(12).chain((length) => fc.tuple(exactly(length), exactly(length)));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(Math.sign(compare(encodeBase32(a), encodeBase32(b)))).toBe(Math.sign(Buffer.compare(a, b)));
      }),
    );
  });

  it('decodes nothing but what it would write', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), maxLength: 20 });
    fc.assert(
      fc.property(text, (given) => {
        const decoded = decodeBase32(given);
        expect(decoded === undefined || encodeBase32(decoded) === given).toBe(true);
      }),
    );
    expect(decodeBase32('il')).toBeUndefined();
  });
});

function exactly(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
