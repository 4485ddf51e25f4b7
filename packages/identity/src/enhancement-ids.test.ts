import fc from 'fast-check';

import { createEnhancementIds } from './enhancement-ids.js';
import { altered } from './test-kit/altered.js';
import { otherRoots, roots, rotatedRoots } from './test-kit/roots.js';

const ids = createEnhancementIds(roots);
const shown = { insightIds: ['c1/j1/a1/1', 'c1/j2/a1/2'], shownAt: 1_772_000_000_000_001, holdout: false };

describe('an enhancement id', () => {
  it('opens to what was shown', () => {
    expect(ids.open('c1', ids.issue('c1', shown))).toMatchObject(shown);
    expect(ids.open('c1', ids.issue('c1', { ...shown, insightIds: [], holdout: true }))).toMatchObject({
      ...shown,
      insightIds: [],
      holdout: true,
    });
  });

  it('is another one for every answer, though two processes show the same in the same moment', () => {
    const processes = [ids, createEnhancementIds(roots)];
    const tokens = Array.from({ length: 1_000 }, (_, at) => processes[at % 2]?.issue('c1', shown));

    expect(new Set(tokens).size).toBe(1_000);
  });

  it('has a digest that is the same whenever it is opened, and another for each', () => {
    const [one, other] = [ids.issue('c1', shown), ids.issue('c1', shown)];

    expect(ids.open('c1', one)?.digest).toMatch(/^[\w-]{43}$/);
    expect(ids.open('c1', one)?.digest).toBe(ids.open('c1', one)?.digest);
    expect(ids.open('c1', one)?.digest).not.toBe(ids.open('c1', other)?.digest);
  });

  it('can be sent in JSON, a URL or a header as it is', () => {
    expect(ids.issue('c1', shown)).toMatch(/^enh_[\w-]+$/);
  });

  it('does not open for another collection', () => {
    expect(ids.open('c2', ids.issue('c1', shown))).toBeUndefined();
  });

  it('does not open when any one character differs', () => {
    const token = ids.issue('c1', shown);
    fc.assert(
      fc.property(altered(token), (forged) => ids.open('c1', forged) === undefined),
      { numRuns: 1000 },
    );
  });

  it('has one spelling', () => {
    const token = ids.issue('c1', shown);
    for (const forged of [`${token}=`, `${token} `, ` ${token}`, `${token}.`]) {
      expect(ids.open('c1', forged)).toBeUndefined();
    }
  });

  it('is not what somebody made up', () => {
    fc.assert(fc.property(fc.string(), (garbage) => ids.open('c1', garbage) === undefined));
    expect(ids.open('c1', `enh_${'A'.repeat(1_000_000)}`)).toBeUndefined();
    fc.assert(fc.property(fc.base64String(), (garbage) => ids.open('c1', `enh_${garbage}`) === undefined));
  });

  it('still opens after the root was rotated, and with no other root', () => {
    const token = ids.issue('c1', shown);

    expect(createEnhancementIds(rotatedRoots).open('c1', token)).toEqual(ids.open('c1', token));
    expect(createEnhancementIds(otherRoots).open('c1', token)).toBeUndefined();
  });
});
