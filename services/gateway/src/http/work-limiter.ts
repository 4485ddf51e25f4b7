import { type BucketLimits, createTokenBuckets } from './token-buckets.js';

/** Bytes. A rate of 0 is no limit. */
export type WorkLimits = BucketLimits;

/** Limits what reading the bodies of each key costs. */
export interface WorkLimiter {
  /** 0 if the key may send a body now. */
  secondsToWait(keyId: string): number;
  /** The cost is known when the work is done, so a key may run into debt. */
  charge(keyId: string, bytes: number, workMs: number): void;
}

/** What a millisecond of work costs. Of ordinary bodies, more bytes than this are read in that time. */
const bytesPerMs = 64 * 1024;

export function createWorkLimiter(limits: WorkLimits, nowMs?: () => number): WorkLimiter {
  const { perSecond } = limits;
  if (perSecond === 0) return { secondsToWait: () => 0, charge() {} };
  const bucketOf = createTokenBuckets(limits, nowMs);

  return {
    secondsToWait(keyId) {
      const { tokens } = bucketOf(keyId);
      return tokens > 0 ? 0 : Math.max(1, Math.ceil(-tokens / perSecond));
    },
    charge(keyId, bytes, workMs) {
      bucketOf(keyId).tokens -= bytes + workMs * bytesPerMs;
    },
  };
}
