import fc from 'fast-check';
import { createJobIds, newAttempt, readJobId } from './job-ids.js';
import { altered, otherRoots, roots, rotatedRoots } from './test-kit.js';

const jobIds = createJobIds(roots);
const owner = { account: 'acme', collectionId: 'c1' };
const idempotency = { key: 'order-66', bodyDigest: 'd1' };
const morning = microsOf('2026-03-05T06:00:00Z');
const evening = microsOf('2026-03-05T23:59:59.999Z');
const nextDay = microsOf('2026-03-06T00:00:00Z');

describe('a job id', () => {
  it('verifies for the account that it was issued to, and for no other', () => {
    const id = jobIds.issue(owner, morning);

    expect(jobIds.verify(id, 'acme')).toBe(true);
    expect(jobIds.verify(id, 'emca')).toBe(false);
    expect(jobIds.verify(id, '')).toBe(false);
  });

  it('does not verify when any one character differs', () => {
    const id = jobIds.issue(owner, morning);
    fc.assert(fc.property(altered(id), (forged) => !jobIds.verify(forged, 'acme')));
  });

  it('does not verify for whatever else a caller may send', () => {
    fc.assert(fc.property(fc.string(), (text) => !jobIds.verify(text, 'acme') && readJobId(text) === undefined));
  });

  it('still verifies after the root was rotated, and with no other root', () => {
    const id = jobIds.issue(owner, morning);

    expect(createJobIds(rotatedRoots).verify(id, 'acme')).toBe(true);
    expect(createJobIds(otherRoots).verify(id, 'acme')).toBe(false);
  });

  it('says when it was accepted', () => {
    expect(readJobId(jobIds.issue(owner, morning + 123))).toEqual({ time: morning + 123, idempotent: false });
  });

  it('sorts by time', () => {
    const time = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a !== b);
        expect(jobIds.issue(owner, a) < jobIds.issue(owner, b)).toBe(a < b);
      }),
    );
  });

  it('is another one for every upload, at the same moment too', () => {
    const ids = Array.from({ length: 100 }, () => jobIds.issue(owner, morning));

    expect(new Set(ids).size).toBe(100);
  });
});

describe('a job id with an idempotency key', () => {
  const issue = (given = {}, time = morning, mine = owner) => jobIds.issue(mine, time, { ...idempotency, ...given });

  it('is the same for a retry on the same day', () => {
    expect(issue({}, evening)).toBe(issue({}, morning));
  });

  it('is another one on the next day', () => {
    expect(issue({}, nextDay)).not.toBe(issue({}, evening));
  });

  it.each([
    ['key', issue({ key: 'order-67' })],
    ['body', issue({ bodyDigest: 'd2' })],
    ['account', issue({}, morning, { ...owner, account: 'emca' })],
    ['collection', issue({}, morning, { ...owner, collectionId: 'c2' })],
  ])('is another one for another %s', (_, other) => {
    expect(other).not.toBe(issue());
  });

  it('does not confuse a key and a body that read the same in a row', () => {
    expect(issue({ key: 'ab', bodyDigest: 'c' })).not.toBe(issue({ key: 'a', bodyDigest: 'bc' }));
  });

  it('verifies like any other, and says the end of its day', () => {
    expect(jobIds.verify(issue(), 'acme')).toBe(true);
    expect(readJobId(issue())).toEqual({ time: nextDay - 1, idempotent: true });
    expect(readJobId(issue({}, nextDay - 1))).toEqual({ time: nextDay - 1, idempotent: true });
  });
});

describe('an attempt', () => {
  it('is greater than the one before it, as a string', () => {
    let now = 999_999;
    const clock = { now: () => ++now };
    const attempts = Array.from({ length: 20 }, () => newAttempt(clock));

    expect([...attempts].sort()).toEqual(attempts);
    expect(new Set(attempts).size).toBe(20);
  });

  it('is greater than one that a clock ahead of this one has made', () => {
    const ahead = newAttempt({ now: () => 5_000_000 });

    expect(newAttempt({ now: () => 1_000_000 }, ahead) > ahead).toBe(true);
  });
});

function microsOf(text: string): number {
  return Date.parse(text) * 1000;
}
