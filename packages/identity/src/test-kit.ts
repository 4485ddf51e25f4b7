import fc from 'fast-check';
import { createRootSecrets } from './root-secrets.js';

const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+/=. \n';

/** The text with one character replaced by another. */
export function altered(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...letters))
    .filter(([at, letter]) => text[at] !== letter)
    .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
}

const current = 'the current root secret of the tests';
const earlier = 'an earlier root secret of the tests.';

export const roots = createRootSecrets(current);
export const rotatedRoots = createRootSecrets('a later root secret of these tests.', [current, earlier]);
export const otherRoots = createRootSecrets('the root secret of somebody else here');
