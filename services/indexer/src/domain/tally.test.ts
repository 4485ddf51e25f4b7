import { shortDigest } from '@whetstone/contracts';
import fc from 'fast-check';

import { aReplacement } from '../conformance/samples.js';
import type { DatedVote } from './ports.js';
import { datedOutcomes, hasVote, mergeTallies, type StoredTally, tallyOf, withVotes } from './tally.js';

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

  it('knows the day of each vote that it lists, in whatever groups the votes were merged', () => {
    const votes = fc.array(fc.record({ token: fc.nat(30), helped: fc.boolean(), day: fc.integer({ min: 1, max: 9 }) }));
    fc.assert(
      fc.property(votes, fc.integer({ min: 1, max: 10 }), (cast, size) => {
        const dated = cast.map(({ token, helped, day }, at) => vote(`t${token}`, helped, day * 86_400e6 + at));
        let tally = single('a');
        for (let at = 0; at < dated.length; at += size) tally = withVotes(tally, dated.slice(at, at + size));
        const { helped = 0, harmed = 0 } = tally.votes ?? {};
        const outcomes = datedOutcomes(mergeTallies([tally, tally]));

        expect(outcomes.filter((one) => one.helped)).toHaveLength(helped);
        expect(outcomes.filter((one) => !one.helped)).toHaveLength(harmed);
        expect(outcomes.every(({ day }) => cast.some((one) => one.day === day))).toBe(true);
      }),
    );
  });

  it('of an earlier version lists no days of its votes, and keeps those of later ones', () => {
    const { votes, ...rest } = withVotes(single('a'), [vote('t', true), vote('u', false)]);
    const { days: _, ...earlier } = votes as NonNullable<typeof votes>;
    const later = withVotes({ ...rest, votes: earlier }, [vote('v', true, 20_000 * 86_400e6)]);

    expect(later.votes).toMatchObject({ helped: 2, harmed: 1 });
    expect(datedOutcomes(later)).toEqual([{ day: 20_000, helped: true }]);
  });
});
