import { type Micros, type SearchHit, shortDigest, shortDigestLength, type TalliedKey } from '@whetstone/contracts';

/** Distinct runs, by body digest: a body uploaded twice counts once. */
export interface Runs {
  digests: ReadonlySet<string>;
  /** Older runs of tallies, which no longer list them. */
  unlisted: number;
}

/** The runs that a hit stands for. */
export interface HitRuns extends Runs {
  /** How many of them are of low-trust keys. */
  lowTrust: number;
}

export type RunsOf = (hit: SearchHit) => HitRuns;

/** Reads the runs of these hits. Tallies list short digests, so runs are compared by those if there are any. */
export function createRunsOf(hits: readonly SearchHit[]): RunsOf {
  const short = hits.some(({ tally }) => tally) ? shortDigest : (digest: string) => digest;
  const runs = new Map(hits.map((hit) => [hit, readRuns(hit, short)]));
  return (hit) => runs.get(hit) ?? readRuns(hit, short);
}

function readRuns({ origin, tally }: SearchHit, short: (digest: string) => string): HitRuns {
  if (!tally) {
    return { digests: new Set([short(origin.bodyDigest)]), unlisted: 0, lowTrust: origin.trust === 'low' ? 1 : 0 };
  }
  const digests = new Set<string>();
  for (let at = 0; at < tally.digests.length; at += shortDigestLength) {
    digests.add(tally.digests.slice(at, at + shortDigestLength));
  }
  return { digests, unlisted: Math.max(0, tally.runs - digests.size), lowTrust: tally.lowTrustRuns };
}

export function countRuns({ digests, unlisted }: Runs): number {
  return digests.size + unlisted;
}

export function mergeRuns(all: readonly Runs[]): Runs {
  const digests = new Set<string>();
  const unlisted = all.reduce((sum, runs) => sum + runs.unlisted, 0);
  for (const runs of all) countNewRuns(digests, runs);
  return { digests, unlisted };
}

/** Counts the runs that are not in `counted`, and adds them to it. */
export function countNewRuns(counted: Set<string>, { digests, unlisted }: Runs): number {
  const before = counted.size;
  for (const digest of digests) counted.add(digest);
  return counted.size - before + unlisted;
}

/**
 * Counts runs without those of low-trust keys. A tally does not say which of its runs these are, so one that it shares
 * with another hit is taken for a trusted one, and not counted again.
 */
export function countTrustedRuns(all: readonly HitRuns[]): number {
  const counted = new Set<string>();
  return all
    .filter((runs) => runs.lowTrust < countRuns(runs))
    .sort((a, b) => a.lowTrust - b.lowTrust)
    .reduce((sum, runs) => sum + Math.max(0, countNewRuns(counted, runs) - runs.lowTrust), 0);
}

export function keysOf({ origin, tally }: SearchHit): readonly TalliedKey[] {
  return tally?.keys ?? [origin];
}

export function jobIdsOf({ origin, tally }: SearchHit): readonly string[] {
  return tally?.jobIds ?? [origin.jobId];
}

export function firstSeen({ origin, tally }: SearchHit): Micros {
  return tally?.firstSeen ?? origin.acceptedAt;
}
