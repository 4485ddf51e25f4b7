import type { KeyUsage, Micros, UsageCounts, UsageEvent } from '@whetstone/contracts';
import type { Caller } from './resolve-collection.js';

interface CountUsageDeps {
  /** Resolves once the counts are durable. */
  append(event: UsageEvent): Promise<void>;
  /** Of this process alone: what an earlier one counted stays beside it. */
  process: string;
}

/** Counts what keys do. Reports are totals of the day, so one that is lost or arrives twice does no harm. */
export interface CountUsage {
  add(caller: Pick<Caller, 'account' | 'keyId'>, at: Micros, counts: Partial<UsageCounts>): void;
  /** Appends the totals that have changed. Rejects if some could not be; those are part of the next report. */
  report(): Promise<void>;
}

interface Day {
  byKey: Map<string, Counted>;
  parts: Part[];
}

/** The keys of one message. */
interface Part {
  keys: KeyUsage[];
  hasChanged: boolean;
}

interface Counted {
  usage: KeyUsage;
  part: Part;
}

const dayMicros = 86_400e6;
/** A message of at most some 20 KB. */
const keysPerPart = 100;
/** While the log is away. */
const mostDays = 3;

export function createCountUsage({ append, process }: CountUsageDeps): CountUsage {
  const days = new Map<number, Day>();
  let reporting: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  function countedOf(number: number, { account, keyId }: Pick<Caller, 'account' | 'keyId'>): Counted {
    const day = days.get(number) ?? begin(number);
    const known = day.byKey.get(keyId);
    if (known) return known;
    const usage = { account, keyId, answers: 0, emptyAnswers: 0, uploads: 0, bytes: 0, refusals: 0 };
    let part = day.parts.at(-1);
    if (!part || part.keys.length === keysPerPart) {
      part = { keys: [], hasChanged: false };
      day.parts.push(part);
    }
    part.keys.push(usage);
    const counted = { usage, part };
    day.byKey.set(keyId, counted);
    return counted;
  }

  function begin(number: number): Day {
    const day = { byKey: new Map(), parts: [] };
    days.set(number, day);
    for (const earlier of days.keys()) if (earlier <= number - mostDays) days.delete(earlier);
    return day;
  }

  async function appendPart(day: number, index: number, part: Part): Promise<void> {
    part.hasChanged = false;
    try {
      await append({ process, day, part: index, keys: part.keys });
    } catch (error) {
      part.hasChanged = true;
      throw error;
    }
  }

  async function reportAll(): Promise<void> {
    const latest = Math.max(...days.keys());
    for (const [number, { parts }] of days) {
      for (const [index, part] of parts.entries()) if (part.hasChanged) await appendPart(number, index, part);
      // A request that began before midnight and ends now makes the day anew, as other parts of it would: wait a day.
      if (number < latest - 1) days.delete(number);
    }
  }

  return {
    add(caller, at, counts) {
      const { usage, part } = countedOf(Math.floor(at / dayMicros), caller);
      usage.answers += counts.answers ?? 0;
      usage.emptyAnswers += counts.emptyAnswers ?? 0;
      usage.uploads += counts.uploads ?? 0;
      usage.bytes += counts.bytes ?? 0;
      usage.refusals += counts.refusals ?? 0;
      part.hasChanged = true;
    },
    report() {
      // One after the other: an earlier total must not come last. Whoever asks meanwhile waits for the same next one.
      waiting ??= reporting
        .catch(() => {})
        .then(() => {
          reporting = reportAll();
          waiting = undefined;
          return reporting;
        });
      waiting.catch(() => {});
      return waiting;
    },
  };
}
