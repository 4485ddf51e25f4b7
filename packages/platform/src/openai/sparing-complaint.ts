import type { Logger } from '../logger.js';

/** The same complaint is not repeated sooner. */
const silenceMs = 60_000;

/** Says at level error that somebody has to act, and not again for a minute. */
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
