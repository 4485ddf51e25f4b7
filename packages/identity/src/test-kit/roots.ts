import { createRootSecrets } from '../root-secrets.js';

const current = 'the current root secret of the tests';
const earlier = 'an earlier root secret of the tests.';

export const roots = createRootSecrets(current);
export const rotatedRoots = createRootSecrets('a later root secret of these tests.', [current, earlier]);
export const otherRoots = createRootSecrets('the root secret of somebody else here');
