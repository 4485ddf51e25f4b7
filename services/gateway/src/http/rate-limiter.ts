import { type BucketLimits, createTokenBuckets } from './token-buckets.js';

/** Requests. A rate of 0 is no limit. */
export type RateLimits = BucketLimits;

interface Admission {
  admitted: boolean;
  headers: Record<string, string>;
}

export interface RateLimiter {
  admit(keyId: string): Admission;
}

/** Limits the requests of each key. */
export function createRateLimiter(limits: RateLimits, nowMs?: () => number): RateLimiter {
  const { perSecond, burst } = limits;
  if (perSecond === 0) return { admit: () => ({ admitted: true, headers: {} }) };
  const bucketOf = createTokenBuckets(limits, nowMs);
  const window = Math.max(1, Math.ceil(burst / perSecond));
  const policy = `"key";q=${burst};w=${window}`;

  return {
    admit(keyId) {
      const bucket = bucketOf(keyId);
      const admitted = bucket.tokens >= 1;
      if (admitted) bucket.tokens -= 1;
      const remaining = Math.floor(bucket.tokens);
      const secondsToOne = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
      const secondsToFull = Math.ceil((burst - bucket.tokens) / perSecond);
      const headers: Record<string, string> = {
        'RateLimit-Policy': policy,
        RateLimit: `"key";r=${remaining};t=${admitted ? secondsToFull : secondsToOne}`,
        'RateLimit-Limit': String(burst),
        'RateLimit-Remaining': String(remaining),
        'RateLimit-Reset': String(admitted ? secondsToFull : secondsToOne),
      };
      if (!admitted) headers['Retry-After'] = String(secondsToOne);
      return { admitted, headers };
    },
  };
}
