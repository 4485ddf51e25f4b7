import { shortDigest, shortDigestLength, type TalliedKey, type Tally, type Votes } from '@whetstone/contracts';

import type { DatedVote } from './ports.js';
import type { InsightBody } from './row-bodies.js';

export interface StoredTally extends Tally {
  /** Those of `digests` that belong to runs of low-trust keys. */
  lowTrustDigests: string;
  /** Votes whose rows are gone. */
  votes?: TalliedVotes;
  /**
   * Ids of the rows that this one replaced when it was written. Some are still there after a crash: they are deleted, and
   * not counted again.
   */
  absorbed: string[];
}

interface TalliedVotes extends Votes {
  /** `shortDigest` of the tokens of the latest votes of each kind, without separators. */
  tokens: { helped: string; harmed: string };
}

const most = { digests: 256, keys: 32, jobIds: 8 };

/** An insight's own tally, or that of its one run. */
export function tallyOf({ tally, origin }: Pick<InsightBody, 'tally' | 'origin'>): StoredTally {
  if (tally) return tally;
  const { jobId, keyId, trust, acceptedAt, bodyDigest } = origin;
  const digests = shortDigest(bodyDigest);
  return {
    runs: 1,
    lowTrustRuns: trust === 'low' ? 1 : 0,
    digests,
    lowTrustDigests: trust === 'low' ? digests : '',
    keys: [{ keyId, ...(trust && { trust }) }],
    jobIds: [jobId],
    firstSeen: acceptedAt,
    lastSeen: acceptedAt,
    absorbed: [],
  };
}

/** Adds tallies up. A run that several of them list counts once. */
export function mergeTallies(tallies: readonly StoredTally[]): StoredTally {
  const [first, ...others] = [...tallies].sort((a, b) => a.lastSeen - b.lastSeen) as [StoredTally, ...StoredTally[]];
  return { ...others.reduce(mergeTwo, first), absorbed: [] };
}

function mergeTwo(earlier: StoredTally, later: StoredTally): StoredTally {
  const votes = earlier.votes && later.votes ? mergeVotes(earlier.votes, later.votes) : (later.votes ?? earlier.votes);
  return {
    runs: earlier.runs + later.runs - shared(earlier.digests, later.digests),
    lowTrustRuns: earlier.lowTrustRuns + later.lowTrustRuns - shared(earlier.digests, later.lowTrustDigests),
    digests: join(earlier.digests, later.digests),
    lowTrustDigests: join(earlier.lowTrustDigests, later.lowTrustDigests),
    keys: latestKeys([...earlier.keys, ...later.keys]),
    jobIds: latest([...earlier.jobIds, ...later.jobIds], most.jobIds),
    firstSeen: Math.min(earlier.firstSeen, later.firstSeen),
    lastSeen: Math.max(earlier.lastSeen, later.lastSeen),
    ...(votes && { votes }),
    absorbed: [],
  };
}

function mergeVotes(earlier: TalliedVotes, later: TalliedVotes): TalliedVotes {
  const all = earlier.tokens.helped + earlier.tokens.harmed;
  return {
    helped: earlier.helped + later.helped - shared(all, later.tokens.helped),
    harmed: earlier.harmed + later.harmed - shared(all, later.tokens.harmed),
    tokens: {
      helped: join(earlier.tokens.helped, later.tokens.helped),
      harmed: join(earlier.tokens.harmed, later.tokens.harmed),
    },
  };
}

/** Counts votes in, one per answer: of several on it, the one accepted first. */
export function withVotes(tally: StoredTally, votes: readonly DatedVote[]): StoredTally {
  const before = tally.votes ?? { helped: 0, harmed: 0, tokens: { helped: '', harmed: '' } };
  const inOrder = [...votes].sort((a, b) => a.acceptedAt - b.acceptedAt || (a.id < b.id ? -1 : 1));
  const after = inOrder.reduce((counted, { tokenDigest, helped }) => {
    const token = shortDigest(tokenDigest);
    const one = helped
      ? { helped: 1, harmed: 0, tokens: { helped: token, harmed: '' } }
      : { helped: 0, harmed: 1, tokens: { helped: '', harmed: token } };
    return isCounted(counted, token) ? counted : mergeVotes(counted, one);
  }, before);
  return after === before ? tally : { ...tally, votes: after };
}

/** Whether the tally already contains the vote of this answer. */
export function hasVote({ votes }: StoredTally, tokenDigest: string): boolean {
  return votes !== undefined && isCounted(votes, shortDigest(tokenDigest));
}

function isCounted({ tokens }: TalliedVotes, token: string): boolean {
  return split(tokens.helped).includes(token) || split(tokens.harmed).includes(token);
}

/** How many of the second list are in the first. */
function shared(some: string, others: string): number {
  const known = new Set(split(some));
  return split(others).filter((digest) => known.has(digest)).length;
}

function join(some: string, others: string): string {
  return latest([...split(some), ...split(others)], most.digests).join('');
}

function split(digests: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < digests.length; at += shortDigestLength) parts.push(digests.slice(at, at + shortDigestLength));
  return parts;
}

/** Distinct; of more than fit, the last. */
function latest(values: readonly string[], count: number): string[] {
  return [...new Set([...values].reverse())].slice(0, count).reverse();
}

function latestKeys(keys: readonly TalliedKey[]): TalliedKey[] {
  const latestOfEach = new Map<string, TalliedKey>();
  for (const key of [...keys].reverse()) if (!latestOfEach.has(key.keyId)) latestOfEach.set(key.keyId, key);
  return [...latestOfEach.values()].slice(0, most.keys).reverse();
}
