import { randomBytes } from 'node:crypto';

import { decrypt, encrypt } from './cipher.js';

const key = randomBytes(32);
const plain = Buffer.from('what the agent did');

describe('encrypted bytes', () => {
  it('open with the same key and context, and never look the same twice', () => {
    const [one, other] = [encrypt(key, 'job_1', plain), encrypt(key, 'job_1', plain)];

    expect(one).not.toEqual(other);
    expect([decrypt(key, 'job_1', one), decrypt(key, 'job_1', other)]).toEqual([plain, plain]);
    expect(decrypt(key, '', encrypt(key, '', Buffer.alloc(0)))).toHaveLength(0);
  });

  it('do not open with another key or context', () => {
    const encrypted = encrypt(key, 'job_1', plain);

    expect(() => decrypt(randomBytes(32), 'job_1', encrypted)).toThrow(/another key/);
    expect(() => decrypt(key, 'job_2', encrypted)).toThrow(/another key/);
  });

  it('do not open if a single bit differs, or if bytes are missing', () => {
    const encrypted = encrypt(key, 'job_1', plain);
    const refused = [...encrypted.keys()].filter((at) => {
      const tampered = Buffer.from(encrypted);
      tampered[at] = (tampered[at] ?? 0) ^ 1;
      return (
        throws(() => decrypt(key, 'job_1', tampered)) && throws(() => decrypt(key, 'job_1', encrypted.subarray(0, at)))
      );
    });

    expect(refused).toHaveLength(encrypted.length);
  });
});

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
