/** Microseconds since the epoch, strictly increasing within a process. */
export interface Clock {
  now(): number;
}

/** Follows the wall clock. If that stalls or steps back, time advances by one microsecond per call. */
export function createSystemClock(wallClockMs: () => number = Date.now): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last + 1, wallClockMs() * 1000);
      return last;
    },
  };
}
