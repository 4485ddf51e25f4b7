import type { SearchHit } from '@whetstone/contracts';

// A name is `<lesson>.<variant>.<task>`. Hits of an earlier version of the indexer have none.

/** How the hit is cited: the same for all hits that teach the same at the same task. */
export function citedAs({ name, id }: SearchHit): string {
  return name || id;
}

/** What the hit teaches, however it is spelt. */
export function lessonNameOf({ name, id }: SearchHit): string {
  return name.split('.')[0] || id;
}

/** Its task, whatever the case and spacing. */
export function taskNameOf({ name, intent }: SearchHit): string {
  return name.split('.')[2] ?? intent;
}
