import type { JobEvent, Micros } from '@whetstone/contracts';

const ranks = { processing: 0, failed: 1, completed: 2 } as const;

/**
 * Merges the records of a job in log order. Completed beats failed beats processing, whichever comes
 * first. Of two completions the first stays, because callers may have seen it: a worker that
 * stood still for a while may append an end after another worker's that it had reached before. Of two starts the earlier
 * stays; of two failures the later, because only an operator's replay brings a second one.
 */
export function mergeJob(known: JobEvent, next: JobEvent): JobEvent {
  if (known.status === 'completed') return known;
  return compare(known, next) >= 0 ? known : next;
}

/** The greater one wins. */
function compare(one: JobEvent, other: JobEvent): number {
  return (
    ranks[one.status] - ranks[other.status] ||
    precedence(one) - precedence(other) ||
    compareTexts(canonical(one), canonical(other))
  );
}

function precedence(event: JobEvent): Micros {
  if (event.status === 'failed') return event.failedAt;
  return -(event.startedAt ?? 0);
}

function canonical(event: JobEvent): string {
  return JSON.stringify(Object.entries(event).sort(([a], [b]) => compareTexts(a, b)));
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
