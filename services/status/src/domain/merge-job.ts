import type { JobEvent, Micros } from '@whetstone/contracts';

const ranks = { processing: 0, failed: 1, completed: 2 } as const;

/**
 * What two records of one job amount to. The order in which they arrive never matters, nor how often: completed goes over
 * failed over processing. Of two completions or two starts the earlier stays, so that what callers were told does not
 * change; of two failures the later, because only an operator's replay brings a second one.
 */
export function mergeJob(one: JobEvent, other: JobEvent): JobEvent {
  return compare(one, other) >= 0 ? one : other;
}

/** Greater is what goes over the other. Equal only for equal records. */
function compare(one: JobEvent, other: JobEvent): number {
  return (
    ranks[one.status] - ranks[other.status] ||
    precedence(one) - precedence(other) ||
    compareTexts(canonical(one), canonical(other))
  );
}

function precedence(event: JobEvent): Micros {
  switch (event.status) {
    case 'completed':
      return -event.completedAt;
    case 'failed':
      return event.failedAt;
    case 'processing':
      return -event.startedAt;
  }
}

function canonical(event: JobEvent): string {
  return JSON.stringify(Object.entries(event).sort(([a], [b]) => compareTexts(a, b)));
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
