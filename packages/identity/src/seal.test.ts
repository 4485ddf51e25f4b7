import fc from 'fast-check';

import { createSeal } from './seal.js';
import { otherRoots, roots, rotatedRoots } from './test-kit.js';

const seal = createSeal(roots);
const text = fc.string({ unit: 'grapheme', maxLength: 300 });

describe('a sealed text', () => {
  it('opens to what was sealed', () => {
    fc.assert(fc.property(fc.string(), text, (jobId, secret) => seal.open(seal.seal(jobId, secret)) === secret));
  });

  it('opens with white space around it, as people paste it', () => {
    expect(seal.open(`  ${seal.seal('j1', 'why')}\n`)).toBe('why');
  });

  it('is base64 and shows nothing of the text', () => {
    const sealed = seal.seal('j1', 'the database is on fire');

    expect(sealed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('database');
  });

  it('is the same for the same job and text, and another for another job or text', () => {
    expect(seal.seal('j1', 'why')).toBe(seal.seal('j1', 'why'));
    expect(seal.seal('j2', 'why')).not.toBe(seal.seal('j1', 'why'));
    expect(seal.seal('j1', 'who')).not.toBe(seal.seal('j1', 'why'));
  });

  it('does not open when any one bit was altered', () => {
    const bytes = Buffer.from(seal.seal('j1', 'why'), 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => seal.open(forged.toString('base64'))).toThrow('was not sealed');
    }
  });

  it('does not open when it was cut short', () => {
    const sealed = Buffer.from(seal.seal('j1', 'why'), 'base64');
    for (let length = 0; length < sealed.length; length++) {
      expect(() => seal.open(sealed.subarray(0, length).toString('base64'))).toThrow('was not sealed');
    }
  });

  it('still opens after the root was rotated, and with no other root', () => {
    const sealed = seal.seal('j1', 'why');

    expect(createSeal(rotatedRoots).open(sealed)).toBe('why');
    expect(() => createSeal(otherRoots).open(sealed)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('is not what somebody made up', () => {
    fc.assert(fc.property(fc.string(), (garbage) => expect(() => seal.open(garbage)).toThrow('was not sealed')));
  });
});
