import fc from 'fast-check';
import { createEnhancementIds } from './enhancement-ids.js';
import { altered, otherRoots, roots, rotatedRoots } from './test-kit.js';

const ids = createEnhancementIds(roots);
const shown = {
  shown: [
    { id: 'c1/j1/a1/1', deeds: ['0123456789', 'abc-_.:/#"'] },
    { id: 'c1/j2/a1/2', deeds: [] },
    { id: 'c1/j2/a1/3', deeds: ['a', 'b', 'c', 'ü'] },
    { id: '-sOn0_Zx8vU2qLw-.Ab3_-9xY.__9-aB3c', deeds: ['d'] },
  ],
  shownAt: 1_772_000_000_000_001,
  holdout: false,
};

describe('an enhancement id', () => {
  it('opens to what was shown', () => {
    expect(ids.open('c1', ids.issue('c1', shown))).toMatchObject(shown);
    expect(ids.open('c1', ids.issue('c1', { ...shown, shown: [], holdout: true }))).toMatchObject({
      ...shown,
      shown: [],
      holdout: true,
    });
  });

  it('keeps the first four deeds of an insight, and none that is no short name', () => {
    const deeds = ['too long for it', 'a b', 'a,b', '', 'one', 'two', 'three', 'four', 'five'];
    const token = ids.issue('c1', { ...shown, shown: [{ id: 'c1/j/a/1', deeds }] });

    expect(ids.open('c1', token)?.shown).toEqual([{ id: 'c1/j/a/1', deeds: ['one', 'two', 'three', 'four'] }]);
  });

  it('stays short enough to be opened, whatever was shown', () => {
    const id = `c${'0'.repeat(16)}_${'0'.repeat(32)}/job_${'0'.repeat(56)}/${'0'.repeat(27)}/9999`;
    const deeds = Array.from({ length: 100 }, () => '0123456789');
    const token = ids.issue('c1', { ...shown, shown: Array.from({ length: 1_000 }, () => ({ id, deeds })) });

    expect(token.length).toBeLessThan(10_000);
    expect(ids.open('c1', token)?.shown).toHaveLength(32);
  });

  it('of an earlier version, which says nothing of deeds, still opens', () => {
    const content = Buffer.from(JSON.stringify([shown.shownAt, 1, 'c1/j1/a1/1', 'c1/j2/a1/2']));
    const body = Buffer.concat([Buffer.alloc(8, 7), content]);
    const mac = roots.current.mac('enhancement-token', 'c1', body).subarray(0, 16);
    const token = `enh_${Buffer.concat([roots.current.id, mac, body]).toString('base64url')}`;

    expect(ids.open('c1', token)).toEqual({
      shown: [
        { id: 'c1/j1/a1/1', deeds: [] },
        { id: 'c1/j2/a1/2', deeds: [] },
      ],
      shownAt: shown.shownAt,
      holdout: true,
      digest: expect.any(String),
    });
  });

  it('is a list of texts, which an earlier version opens too: it takes deeds for ids of nothing', () => {
    const token = ids.issue('c1', shown);
    const content = Buffer.from(token.slice('enh_'.length), 'base64url')
      .subarray(roots.current.id.length + 16 + 8)
      .toString();

    const [, , ...texts] = JSON.parse(content) as unknown[];
    expect(texts.filter((text) => typeof text !== 'string')).toEqual([]);
    expect(texts.filter((text) => !String(text).startsWith('#'))).toEqual(shown.shown.map(({ id }) => id));
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
