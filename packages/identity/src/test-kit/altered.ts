import fc from 'fast-check';

const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+/=. \n';

/** The text with one character replaced by another. */
export function altered(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...letters))
    .filter(([at, letter]) => text[at] !== letter)
    .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
}
