import { isInsightName } from './domain/insight-names.js';
import type { Row } from './domain/ports.js';
import { voteOf } from './domain/votes.js';

/** What a collection has to do, with the time since which. */
interface Noted {
  names: Map<string, Since>;
  /** Jobs without insights. */
  jobs: Map<string, Since>;
}

/** When something was noted, in milliseconds: for the first time, and for the last. */
interface Since {
  firstMs: number;
  lastMs: number;
}

/** Beyond that, the next scan finds what was not noted. */
const maxNoted = 100_000;

interface NotesOptions {
  settleMs: number;
  monotonicMs(): number;
  /** Called for a collection of which something could not be noted. */
  onFull(collectionId: string): void;
}

/** What there may be to consolidate, noted as it is stored. */
export function createNotes({ settleMs, monotonicMs, onFull }: NotesOptions) {
  const noted = new Map<string, Noted>();
  let size = 0;

  function addRows(collectionId: string, rows: readonly Row[]): void {
    const nowMs = monotonicMs();
    const insights = rows.filter(({ type }) => type === 'insight');
    for (const { name } of insights) add(collectionId, 'names', name, { firstMs: nowMs, lastMs: nowMs });
    for (const row of rows) {
      const about = voteOf(row)?.about.split('/', 1)[0];
      if (about !== undefined && isInsightName(about)) {
        add(collectionId, 'names', about, { firstMs: nowMs, lastMs: nowMs });
      }
    }
    const [run] = rows;
    if (run && insights.length === 0) add(collectionId, 'jobs', run.jobId, { firstMs: nowMs, lastMs: nowMs });
  }

  function add(collectionId: string, kind: keyof Noted, value: string, { firstMs, lastMs }: Since): void {
    const of = noted.get(collectionId) ?? { names: new Map(), jobs: new Map() };
    const known = of[kind].get(value);
    if (!known && size >= maxNoted) {
      onFull(collectionId);
      return;
    }
    if (!known) size++;
    noted.set(collectionId, of);
    const since = known ?? { firstMs, lastMs };
    of[kind].set(value, { firstMs: Math.min(since.firstMs, firstMs), lastMs: Math.max(since.lastMs, lastMs) });
  }

  /** How long something has been waiting since it settled. */
  function oldestDueMs(): number {
    let oldest = 0;
    for (const { names, jobs } of noted.values()) {
      for (const first of [names.values().next().value, jobs.values().next().value]) {
        if (first) oldest = Math.max(oldest, monotonicMs() - first.firstMs - settleMs);
      }
    }
    return oldest;
  }

  /** Takes out what has settled, so that what is noted meanwhile is kept. */
  function takeDue(collectionId: string): Noted {
    const of = noted.get(collectionId);
    const taken: Noted = { names: new Map(), jobs: new Map() };
    for (const kind of ['names', 'jobs'] as const) {
      for (const [value, since] of of?.[kind] ?? []) {
        if (monotonicMs() - since.firstMs < settleMs) continue;
        taken[kind].set(value, since);
        of?.[kind].delete(value);
        size--;
      }
    }
    if (of && of.names.size + of.jobs.size === 0) noted.delete(collectionId);
    return taken;
  }

  function putBack(collectionId: string, taken: Noted, sinceOf: (since: Since) => Since | undefined): void {
    for (const kind of ['names', 'jobs'] as const) {
      for (const [value, before] of taken[kind]) {
        const since = sinceOf(before);
        if (since) add(collectionId, kind, value, since);
      }
    }
  }

  return { add: addRows, takeDue, putBack, oldestDueMs, collections: () => noted.keys() };
}
