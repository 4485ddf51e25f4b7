import type { Logger } from '../logger.js';

/** Minimum time between two log lines. */
const silenceMs = 60_000;

/** Logs an error that somebody has to act on, at most once a minute. */
export type Complain = (details: Record<string, unknown>, message: string) => void;

export function createSparingComplaint(logger: Logger): Complain {
  let complainedAtMs = Number.NEGATIVE_INFINITY;
  return (details, message) => {
    const now = performance.now();
    if (now - complainedAtMs < silenceMs) return;
    complainedAtMs = now;
    logger.error(details, message);
  };
}
