import type { Clock, Logger } from '@whetstone/platform';

import type { VectorStore } from './domain/ports.js';

interface ExpireMarkersDeps {
  store: VectorStore;
  clock: Clock;
  logger: Logger;
}

/** Longer than anything can be delivered again. */
const markerLifeMicros = 40 * 24 * 60 * 60 * 1_000_000;
const everyMs = 60 * 60 * 1000;

/** Forgets deletions that nothing can need any more, now and then. Returns how to end it. */
export function scheduleMarkerExpiry({ store, clock, logger }: ExpireMarkersDeps): () => void {
  const run = () =>
    store
      .expireMarkers(clock.now() - markerLifeMicros)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'Old deletion markers could not be removed; trying again'),
      );
  const timer = setInterval(() => void run(), everyMs).unref();
  void run();
  return () => clearInterval(timer);
}
