import { createWorkLimiter } from './work-limiter.js';

const mebibyte = 1024 * 1024;

describe('the limit of work', () => {
  it('counts the bytes of a body and the time it took, for each key by itself', () => {
    const limiter = createWorkLimiter({ perSecond: mebibyte, burst: 4 * mebibyte }, () => 0);

    limiter.charge('bytes', 4 * mebibyte, 0);
    limiter.charge('time', 1, 64);
    limiter.charge('neither', 2 * mebibyte, 16);

    expect(['bytes', 'time', 'neither', 'other'].map(limiter.secondsToWait)).toEqual([1, 1, 0, 0]);
  });

  it('lets a key in again when its debt is paid, at the time it said', () => {
    let nowMs = 0;
    const limiter = createWorkLimiter({ perSecond: mebibyte, burst: mebibyte }, () => nowMs);
    limiter.charge('key', 11 * mebibyte, 0);

    expect(limiter.secondsToWait('key')).toBe(10);
    nowMs = 9_999;
    expect(limiter.secondsToWait('key')).toBe(1);
    nowMs = 10_001;
    expect(limiter.secondsToWait('key')).toBe(0);
  });

  it('is off at a rate of 0', () => {
    const limiter = createWorkLimiter({ perSecond: 0, burst: 1 });
    limiter.charge('key', 1e12, 1e6);

    expect(limiter.secondsToWait('key')).toBe(0);
  });
});
