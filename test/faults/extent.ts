/** How long and how often things go wrong. */
export interface Extent {
  /** Pause of each client between two requests. */
  paceMs: number;
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
  /** After how long an analysis that hangs is ended. */
  analysisTimeoutMs: number;
}

const short: Extent = {
  paceMs: 700,
  kills: 1,
  pauseMs: 4_000,
  analyserPauseMs: 14_000,
  awayMs: 5_000,
  fullMs: 1_000,
  analysisTimeoutMs: 3_000,
};
const full: Extent = {
  paceMs: 200,
  kills: 4,
  pauseMs: 90_000,
  analyserPauseMs: 90_000,
  awayMs: 60_000,
  fullMs: 20_000,
  analysisTimeoutMs: 6_000,
};

/** `WHETSTONE_TEST_FAULTS=full`, which `npm run test:faults` sets, takes its time; otherwise it is quick. */
export const isFull = process.env['WHETSTONE_TEST_FAULTS'] === 'full';
export const extent = isFull ? full : short;

/** At length each fault by itself; in short some, one after another under one load. */
export function seriesOf<Fault extends { title: string }>(
  always: readonly Fault[],
  atLength: readonly Fault[],
): [title: string, faults: Fault[]][] {
  if (isFull) return [...always, ...atLength].map((fault) => [fault.title, [fault]]);
  return [[always.map(({ title }) => title).join(', '), [...always]]];
}
