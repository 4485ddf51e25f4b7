/** How long and how often things go wrong. */
export interface Extent {
  /** Kills of each process in one run. */
  kills: number;
  /** For how long a stopped process does nothing. */
  pauseMs: number;
  /** For how long a stopped analyser does nothing: longer than it takes until others take over what it had. */
  analyserPauseMs: number;
  /** For how long an engine is away. */
  awayMs: number;
  /** For how long a disk is full. */
  fullMs: number;
}

const short: Extent = { kills: 1, pauseMs: 4_000, analyserPauseMs: 14_000, awayMs: 5_000, fullMs: 1_000 };
const full: Extent = { kills: 4, pauseMs: 90_000, analyserPauseMs: 90_000, awayMs: 60_000, fullMs: 20_000 };

/** `WHETSTONE_TEST_FAULTS=full`, which `npm run test:faults` sets, takes its time; otherwise it is quick. */
export const isFull = process.env['WHETSTONE_TEST_FAULTS'] === 'full';
export const extent = isFull ? full : short;
