import { createRateLimiter, type RateLimits } from './rate-limiter.js';

const second = 1000;

/** A limiter and a clock that stands still until it is set. */
function limiterAt(limits: RateLimits) {
  let nowMs = 0;
  const limiter = createRateLimiter(limits, () => nowMs);
  return {
    admit(key: string, atMs: number) {
      nowMs = atMs;
      return limiter.admit(key);
    },
  };
}

describe('the rate limiter', () => {
  it('lets a burst through, and then as many as the rate refills', () => {
    const limiter = limiterAt({ perSecond: 2, burst: 3 });
    const at = (now: number) => limiter.admit('key', now).admitted;

    expect([at(0), at(0), at(0), at(0)]).toEqual([true, true, true, false]);
    expect([at(second / 2), at(second / 2)]).toEqual([true, false]);
    expect([at(100 * second), at(100 * second), at(100 * second), at(100 * second)]).toEqual([true, true, true, false]);
  });

  it('counts each key by itself', () => {
    const limiter = limiterAt({ perSecond: 1, burst: 1 });

    expect([limiter.admit('a', 0).admitted, limiter.admit('a', 0).admitted, limiter.admit('b', 0).admitted]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('tells what is left and when to come back, and is then as good as its word', () => {
    const limiter = limiterAt({ perSecond: 0.5, burst: 2 });
    expect(limiter.admit('key', 0).headers).toMatchObject({ 'RateLimit-Limit': '2', 'RateLimit-Remaining': '1' });
    limiter.admit('key', 0);

    const { admitted, headers } = limiter.admit('key', 0);

    expect(admitted).toBe(false);
    expect(headers).toMatchObject({
      'Retry-After': '2',
      RateLimit: '"key";r=0;t=2',
      'RateLimit-Policy': '"key";q=2;w=4',
    });
    expect(limiter.admit('key', 2 * second).admitted).toBe(true);
  });

  it('is off at a rate of 0', () => {
    const limiter = limiterAt({ perSecond: 0, burst: 1 });

    expect(Array.from({ length: 100 }, () => limiter.admit('key', 0).admitted)).not.toContain(false);
    expect(limiter.admit('key', 0).headers).toEqual({});
  });

  it('forgets the keys that have been quiet longest, so that its memory is bounded', () => {
    const limiter = limiterAt({ perSecond: 0.001, burst: 1 });
    limiter.admit('first', 0);
    for (let key = 0; key < 10_000; key++) limiter.admit(`key ${key}`, 0);

    expect(limiter.admit('first', 0).admitted).toBe(true);
    expect(limiter.admit('key 9999', 0).admitted).toBe(false);
  });

  it('runs on a clock that nobody sets: the wall clock stepped back changes nothing', () => {
    const limiter = createRateLimiter({ perSecond: 1000, burst: 1 });
    const dateNow = Date.now;
    try {
      limiter.admit('key');
      Date.now = () => dateNow() - 600_000;
      for (const until = performance.now() + 5; performance.now() < until; );

      expect(limiter.admit('key').admitted).toBe(true);
    } finally {
      Date.now = dateNow;
    }
  });
});
