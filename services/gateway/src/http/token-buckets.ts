export interface BucketLimits {
  /** What a bucket gains. */
  perSecond: number;
  /** What it holds at most. */
  burst: number;
}

export interface Bucket {
  /** Below 0 for a debt. */
  tokens: number;
}

/** Beyond this the least recently used bucket is dropped, which is the same as refilling it. */
const maxBuckets = 10_000;

/**
 * A token bucket per key; each gateway replica has its own. `nowMs` must be monotonic: a wall clock that steps back would stop
 * the refilling.
 */
export function createTokenBuckets({ perSecond, burst }: BucketLimits, nowMs = () => performance.now()) {
  const buckets = new Map<string, Bucket & { filledAtMs: number }>();

  /** The key's bucket, filled up to now. */
  return (keyId: string): Bucket => {
    const now = nowMs();
    const bucket = buckets.get(keyId) ?? { tokens: burst, filledAtMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAtMs) / 1000) * perSecond);
    bucket.filledAtMs = now;
    buckets.delete(keyId);
    buckets.set(keyId, bucket);
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string);
    return bucket;
  };
}
