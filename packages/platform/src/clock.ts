/** Microseconds since the epoch, strictly increasing within a process, so that two moments are never the same. */
export interface Clock {
  now(): number;
}

/** Follows the wall clock; where that stands still or steps back, time goes on by one microsecond a call. */
export function createSystemClock(wallClockMs: () => number = Date.now): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last + 1, wallClockMs() * 1000);
      return last;
    },
  };
}
