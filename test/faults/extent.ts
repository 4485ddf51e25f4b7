/** How long and how often things go wrong. */
export interface Extent {
  /** Pause of each client between two requests. */
  paceMs: number;
  /** Kills of each process in one run. */
  kills: number;
  /** How long a process is stopped. */
  pauseMs: number;
  /** How long an analyser is stopped: longer than it takes others to take over its work. */
  analyserPauseMs: number;
  /** How long an engine is down. */
  awayMs: number;
  /** How long a disk is full. */
  fullMs: number;
  traces: { traces: number; steps: number };
  /** Settings of the process that analyses: when a harmful upload is given up, and how soon others are retried. */
  analysis: Record<string, string>;
}

const short: Extent = {
  paceMs: 1_000,
  kills: 1,
  pauseMs: 4_000,
  analyserPauseMs: 14_000,
  awayMs: 5_000,
  fullMs: 1_000,
  traces: { traces: 60, steps: 19 },
  analysis: analysisSettings({ timeoutMs: 3_000, longestWaitMs: 1_000 }),
};
const full: Extent = {
  paceMs: 200,
  kills: 4,
  pauseMs: 90_000,
  analyserPauseMs: 90_000,
  awayMs: 60_000,
  fullMs: 20_000,
  traces: { traces: 1000, steps: 19 },
  analysis: analysisSettings({ timeoutMs: 6_000, longestWaitMs: 5_000 }),
};

function analysisSettings(limits: { timeoutMs: number; longestWaitMs: number }): Record<string, string> {
  return {
    WHETSTONE_ANALYSIS_TIMEOUT_MS: String(limits.timeoutMs),
    WHETSTONE_ANALYSIS_MEMORY_MB: '64',
    // Longer than an emitter waits for a gateway that comes back.
    WHETSTONE_TRACE_WAIT_MS: '15000',
    WHETSTONE_LONGEST_WAIT_MS: String(limits.longestWaitMs),
  };
}

/** `npm run test:faults` sets `WHETSTONE_TEST_FAULTS=full`. */
export const isFull = process.env['WHETSTONE_TEST_FAULTS'] === 'full';
export const extent = isFull ? full : short;

/** Full: each fault on its own. Short: some faults, one after another under one load. */
export function seriesOf<Fault extends { title: string }>(
  always: readonly Fault[],
  atLength: readonly Fault[],
): [title: string, faults: Fault[]][] {
  if (isFull) return [...always, ...atLength].map((fault) => [fault.title, [fault]]);
  return [[always.map(({ title }) => title).join(', '), [...always]]];
}
