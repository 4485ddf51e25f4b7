import fc from 'fast-check';
import { createApiKeys, hasKeyShape, parseApiKey } from './api-keys.js';
import { altered, otherRoots, roots, rotatedRoots } from './test-kit.js';

const apiKeys = createApiKeys(roots);

describe('an API key', () => {
  it('has the shape wst_<id>_<secret>_<checksum> and says its id', () => {
    const { key, keyId, secret } = apiKeys.generate();

    expect(key).toMatch(/^wst_[0-9a-z]{16}_[0-9a-z]{40}_[0-9a-z]{6}$/);
    expect(hasKeyShape(key)).toBe(true);
    expect(parseApiKey(key)).toEqual({ keyId, secret });
  });

  it('is never the same twice', () => {
    const keys = Array.from({ length: 100 }, () => apiKeys.generate());

    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(100);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(100);
  });

  it('shows any mistyped character by its checksum', () => {
    const { key } = apiKeys.generate();
    fc.assert(fc.property(altered(key), (typo) => parseApiKey(typo) === undefined));
  });

  it.each(['', 'wst_', 'webarena', 'wst_a_b_c', 'WST_0000000000000000'])('is not %j', (text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });

  it('is no other text, with a new line after it for instance', () => {
    expect(parseApiKey(`${apiKeys.generate().key}\n`)).toBeUndefined();
  });

  it('verifies against its own hash only', () => {
    const [one, two] = [apiKeys.generate(), apiKeys.generate()];

    expect(apiKeys.verify(one, apiKeys.hash(one))).toBe(true);
    expect(apiKeys.verify(one, apiKeys.hash(two))).toBe(false);
    expect(apiKeys.verify({ ...one, secret: two.secret }, apiKeys.hash(one))).toBe(false);
  });

  it('stores a hash that does not contain the secret', () => {
    const key = apiKeys.generate();

    expect(apiKeys.hash(key)).not.toContain(key.secret);
  });

  it('still verifies after the root was rotated, and against no other root', () => {
    const key = apiKeys.generate();
    const hash = apiKeys.hash(key);

    expect(createApiKeys(rotatedRoots).verify(key, hash)).toBe(true);
    expect(createApiKeys(otherRoots).verify(key, hash)).toBe(false);
    expect(createApiKeys(roots).verify(key, createApiKeys(rotatedRoots).hash(key))).toBe(false);
  });

  it('does not verify against an altered hash, or what is none', () => {
    const key = apiKeys.generate();
    fc.assert(fc.property(altered(apiKeys.hash(key)), (hash) => !apiKeys.verify(key, hash)));
    fc.assert(fc.property(fc.string(), (hash) => !apiKeys.verify(key, hash)));
  });
});
