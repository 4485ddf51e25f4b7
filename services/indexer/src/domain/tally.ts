import {
  type FeedbackNote,
  shortDigest,
  shortDigestLength,
  type TalliedKey,
  type Tally,
  type Votes,
} from '@whetstone/contracts/messages';

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
  /** The days of these votes, in the same order, each as `dayText` writes it. Absent from rows of earlier versions. */
  days?: { helped: string; harmed: string };
  /** The latest that came with votes, in order of time. */
  notes?: FeedbackNote[];
}

/** Votes of one day, since the epoch. */
export interface DatedOutcome {
  day: number;
  helped: boolean;
}

const kinds = ['helped', 'harmed'] as const;
const most = { digests: 256, keys: 32, jobIds: 8, notes: 5 };

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
  const tokens = {
    helped: join(earlier.tokens.helped, later.tokens.helped),
    harmed: join(earlier.tokens.harmed, later.tokens.harmed),
  };
  const dayOf = new Map([...daysByToken(later), ...daysByToken(earlier)]);
  const daysIn = (listed: string) =>
    split(listed)
      .map((token) => dayOf.get(token) ?? unknownDay)
      .join('');
  const notes = latestNotes([...(earlier.notes ?? []), ...(later.notes ?? [])]);
  return {
    helped: earlier.helped + later.helped - shared(all, later.tokens.helped),
    harmed: earlier.harmed + later.harmed - shared(all, later.tokens.harmed),
    tokens,
    days: { helped: daysIn(tokens.helped), harmed: daysIn(tokens.harmed) },
    ...(notes.length > 0 && { notes }),
  };
}

/** Distinct; of more than are kept, the last. In order of time. */
export function latestNotes(notes: readonly FeedbackNote[], count = most.notes): FeedbackNote[] {
  const distinct = new Map(notes.map((one) => [`${one.givenAt} ${one.note}`, one]));
  return [...distinct.values()].sort((a, b) => a.givenAt - b.givenAt).slice(-count);
}

const dayLength = 4;
const unknownDay = '-'.repeat(dayLength);

/** To the base of 36. */
function dayText(acceptedAt: number): string {
  return dayOf(acceptedAt).toString(36).padStart(dayLength, '0').slice(-dayLength);
}

function daysByToken({ tokens, days }: TalliedVotes): [token: string, day: string][] {
  return kinds.flatMap((kind) => {
    const known = split(days?.[kind] ?? '', dayLength);
    return split(tokens[kind]).map((token, at): [string, string] => [token, known[at] ?? unknownDay]);
  });
}

/** UTC, since the epoch. */
export function dayOf(acceptedAt: number): number {
  return Math.floor(acceptedAt / 86_400e6);
}

/** The votes whose day the tally lists. */
export function datedOutcomes({ votes }: StoredTally): DatedOutcome[] {
  return kinds.flatMap((kind) =>
    split(votes?.days?.[kind] ?? '', dayLength)
      .filter((day) => day !== unknownDay)
      .map((day) => ({ day: Number.parseInt(day, 36), helped: kind === 'helped' })),
  );
}

/** Counts votes in, one per answer: of several on it, the one accepted first. `notes` are by the ids of votes. */
export function withVotes(
  tally: StoredTally,
  votes: readonly DatedVote[],
  notes: ReadonlyMap<string, string> = new Map(),
): StoredTally {
  const before: TalliedVotes = tally.votes ?? { helped: 0, harmed: 0, tokens: { helped: '', harmed: '' } };
  const inOrder = [...votes].sort((a, b) => a.acceptedAt - b.acceptedAt || (a.id < b.id ? -1 : 1));
  const after = inOrder.reduce((counted, { id, tokenDigest, helped, acceptedAt }) => {
    const token = shortDigest(tokenDigest);
    const note = notes.get(id);
    const only = (text: string) => ({ helped: helped ? text : '', harmed: helped ? '' : text });
    const one: TalliedVotes = {
      helped: helped ? 1 : 0,
      harmed: helped ? 0 : 1,
      tokens: only(token),
      days: only(dayText(acceptedAt)),
      ...(note !== undefined && { notes: [{ givenAt: acceptedAt, success: helped, note }] }),
    };
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

function split(digests: string, length = shortDigestLength): string[] {
  const parts: string[] = [];
  for (let at = 0; at < digests.length; at += length) parts.push(digests.slice(at, at + length));
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
