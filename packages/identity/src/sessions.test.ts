import fc from 'fast-check';

import { createSessions } from './sessions.js';
import { altered, otherRoots, roots, rotatedRoots } from './test-kit.js';

const session = { keyId: '0a1b2c3d4e5f6g7h', expiresAt: 1000 };
const sealed = createSessions(roots).seal(session);

it('opens what any process with the root secret sealed, also after a rotation', () => {
  expect(createSessions(roots).open(sealed, 999)).toEqual(session);
  expect(createSessions(rotatedRoots).open(sealed, 999)).toEqual(session);
});

it('ends at its expiry', () => {
  expect(createSessions(roots).open(sealed, 1000)).toBeUndefined();
});

it('does not open what was sealed elsewhere or altered, nor show its key', () => {
  const { open } = createSessions(roots);

  expect(createSessions(otherRoots).open(sealed, 0)).toBeUndefined();
  for (const text of ['', 'x', sealed.slice(0, 8), sealed.slice(0, -4)]) expect(open(text, 0)).toBeUndefined();
  fc.assert(
    fc.property(altered(sealed), (text) => {
      // The last character may have bits that no byte has.
      const isSame = Buffer.from(text, 'base64url').equals(Buffer.from(sealed, 'base64url'));
      return isSame || open(text, 0) === undefined;
    }),
  );
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(session.keyId);
});
