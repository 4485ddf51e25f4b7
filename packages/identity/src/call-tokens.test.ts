import fc from 'fast-check';
import { createCallTokens } from './call-tokens.js';
import { altered, otherRoots, roots, rotatedRoots } from './test-kit.js';

const search = '/whetstone.indexer.v1.IndexerService/Search';
const deletion = '/whetstone.indexer.v1.IndexerService/DeleteByIntent';
const noonMs = Date.UTC(2026, 10, 16, 12);
const minuteMs = 60_000;

const at = (nowMs: number) => createCallTokens(roots, () => nowMs);
const tokens = at(noonMs);

describe('the token of a call', () => {
  it('is good for the method that it was made for, and no other', () => {
    expect(tokens.verify(search, tokens.issue(search))).toBeUndefined();
    expect(tokens.verify(deletion, tokens.issue(search))).toEqual({ reason: 'invalid' });
  });

  it('is the same for a minute, then another', () => {
    expect(at(noonMs + minuteMs - 1).issue(search)).toBe(tokens.issue(search));
    expect(at(noonMs + minuteMs).issue(search)).not.toBe(tokens.issue(search));
  });

  it.each([-5, -1, 0, 1, 5])('is good where the clock differs by %i minutes', (minutes) => {
    expect(at(noonMs + minutes * minuteMs).verify(search, tokens.issue(search))).toBeUndefined();
  });

  it.each([
    ['behind', 10, 600],
    ['ahead', -10, -600],
    ['far behind', 60 * 24 * 365, 60 * 60 * 24 * 365],
  ])('is refused from a clock that is %s, and the skew is told', (_, minutes, skewSeconds) => {
    const here = at(noonMs + minutes * minuteMs);

    expect(here.verify(search, tokens.issue(search))).toEqual({ reason: 'expired', skewSeconds });
    expect(here.verify(deletion, tokens.issue(search))).toEqual({ reason: 'invalid' });
  });

  it('is good again once a clock that was ahead is set right', () => {
    let nowMs = noonMs + 30 * 24 * 60 * minuteMs;
    const moved = createCallTokens(roots, () => nowMs);
    moved.issue(search);
    nowMs = noonMs;

    expect(moved.verify(search, tokens.issue(search))).toBeUndefined();
    expect(tokens.verify(search, moved.issue(search))).toBeUndefined();
  });

  it('stays good while the root secret is rotated, where its root is still known', () => {
    const rotated = createCallTokens(rotatedRoots, () => noonMs);

    expect(rotated.verify(search, tokens.issue(search))).toBeUndefined();
    expect(tokens.verify(search, rotated.issue(search))).toEqual({ reason: 'unknown_secret' });
  });

  it('of another installation is refused', () => {
    const other = createCallTokens(otherRoots, () => noonMs);

    expect(tokens.verify(search, other.issue(search))).toEqual({ reason: 'unknown_secret' });
    const forged = other.issue(search).replace(/^[^.]+/, roots.current.id.toString('hex'));
    expect(tokens.verify(search, forged)).toEqual({ reason: 'invalid' });
  });

  it('is refused with any character replaced, and never for the wrong reason', () => {
    fc.assert(
      fc.property(altered(tokens.issue(search)), (token) => {
        expect(['malformed', 'unknown_secret', 'invalid']).toContain(tokens.verify(search, token)?.reason);
      }),
    );
  });

  it.each(['', '.', '..', 'x'.repeat(100_000), '\u0000', '0'.repeat(8), `${'0'.repeat(8)}.1.`])(
    'that is none is refused and does no harm: %#',
    (token) => {
      expect(tokens.verify(search, token)).toEqual({ reason: 'malformed' });
    },
  );

  it('keeps working however many methods and minutes there have been', () => {
    let nowMs = noonMs;
    const long = createCallTokens(roots, () => nowMs);
    for (let minute = 0; minute < 1500; minute++) {
      nowMs += minuteMs;
      expect(long.verify(search, long.issue(search))).toBeUndefined();
    }
  });
});
