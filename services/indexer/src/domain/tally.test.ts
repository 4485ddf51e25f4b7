import { shortDigest } from '@whetstone/contracts';
import fc from 'fast-check';

import { aReplacement } from '../conformance/samples.js';
import type { DatedVote } from './ports.js';
import { hasVote, mergeTallies, type StoredTally, tallyOf, withVotes } from './tally.js';

function single(bodyDigest: string, acceptedAt = 1, keyId = 'k', trust?: 'low'): StoredTally {
  const { origin } = aReplacement();
  return tallyOf({ origin: { ...origin, bodyDigest, acceptedAt, keyId, jobId: bodyDigest, ...(trust && { trust }) } });
}

function vote(tokenDigest: string, helped: boolean, acceptedAt = 1): DatedVote {
  return { id: `${tokenDigest}${acceptedAt}`, about: 'x/1', tokenDigest, helped, acceptedAt };
}

describe('a tally', () => {
  it('counts each run once, in whatever groups the runs were merged', () => {
    const bodies = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 10 }), (numbers, size) => {
        const singles = numbers.map((body, at) =>
          single(`body ${body}`, at, `key ${body % 3}`, body % 5 ? undefined : 'low'),
        );
        const groups: StoredTally[] = [];
        for (let at = 0; at < singles.length; at += size) groups.push(mergeTallies(singles.slice(at, at + size)));
        const distinct = [...new Set(numbers)];

        expect(mergeTallies(groups)).toMatchObject({
          runs: distinct.length,
          lowTrustRuns: distinct.filter((body) => body % 5 === 0).length,
          firstSeen: 0,
          lastSeen: numbers.length - 1,
        });
        expect(new Set(mergeTallies(groups).keys.map(({ keyId }) => keyId)).size).toBe(
          new Set(distinct.map((body) => body % 3)).size,
        );
      }),
    );
  });

  it('stays small, and keeps counting', () => {
    let tally = single('0', 0);
    for (let at = 1; at < 1_000; at++) tally = mergeTallies([tally, single(`${at}`, at, `key ${at}`)]);

    expect(tally.runs).toBe(1_000);
    expect(tally.digests.length).toBe(256 * 8);
    expect(tally.digests.endsWith(shortDigest('999'))).toBe(true);
    expect(tally.jobIds).toEqual(Array.from({ length: 8 }, (_, at) => `${992 + at}`));
    expect(tally.keys).toHaveLength(32);
    expect(JSON.stringify(tally).length).toBeLessThan(4_000);
  });

  it('counts each answer once: of several votes on it, the first', () => {
    const voted = withVotes(single('a'), [vote('t', false, 2), vote('t', true, 1), vote('u', false)]);

    expect(voted.votes).toMatchObject({ helped: 1, harmed: 1 });
    expect(hasVote(voted, 't')).toBe(true);
    expect(hasVote(voted, 'other')).toBe(false);
    expect(withVotes(voted, [vote('t', true), vote('v', true)]).votes).toMatchObject({ helped: 2, harmed: 1 });
    expect(withVotes(voted, [vote('u', true)])).toBe(voted);
    expect(mergeTallies([voted, withVotes(single('b'), [vote('w', true)])]).votes).toMatchObject({
      helped: 2,
      harmed: 1,
    });
  });
});
