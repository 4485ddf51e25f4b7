import type { AcceptedUpload, Micros } from '@whetstone/contracts';

const minuteMicros = 60 * 1_000_000;

/** No attempt at a job starts later than this after it was accepted, or replayed. */
const longestWaitMicros = 24 * 60 * minuteMicros;
/** From deadline + 10 min on the status service calls a job without an end failed; a minute is left for differing clocks. */
const latestEndMicros = 9 * minuteMicros;

export function deadlineOf({ acceptedAt, replayedAt }: Pick<AcceptedUpload, 'acceptedAt' | 'replayedAt'>): Micros {
  return (replayedAt ?? acceptedAt) + longestWaitMicros;
}

/** After this moment a job without an end has been told to have failed, so nothing else can be its end any more. */
export function latestEndOf(deadline: Micros): Micros {
  return deadline + latestEndMicros;
}
