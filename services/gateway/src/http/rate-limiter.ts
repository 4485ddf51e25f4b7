export interface RateLimits {
  /** 0 for no limit. */
  perSecond: number;
  burst: number;
}

interface Admission {
  admitted: boolean;
  headers: Record<string, string>;
}

export interface RateLimiter {
  admit(keyId: string): Admission;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Beyond this the least recently used bucket is dropped, which is the same as refilling it. */
const maxBuckets = 10_000;

/** A token bucket per key; each gateway replica has its own. `nowMs` must be monotonic: a wall clock may step back for hours. */
export function createRateLimiter({ perSecond, burst }: RateLimits, nowMs = () => performance.now()): RateLimiter {
  if (perSecond === 0) return { admit: () => ({ admitted: true, headers: {} }) };
  const buckets = new Map<string, Bucket>();
  const window = Math.max(1, Math.ceil(burst / perSecond));
  const policy = `"key";q=${burst};w=${window}`;

  function bucketOf(keyId: string): Bucket {
    const now = nowMs();
    const bucket = buckets.get(keyId) ?? { tokens: burst, filledAtMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAtMs) / 1000) * perSecond);
    bucket.filledAtMs = now;
    buckets.delete(keyId);
    buckets.set(keyId, bucket);
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string);
    return bucket;
  }

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
