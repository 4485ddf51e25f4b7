import type { VoteCount } from './ports.js';
import type { CastVote } from './vote-rows.js';

/** A vote, and when it was cast. */
export interface DatedVote extends CastVote {
  id: string;
  acceptedAt: number;
}

/** One answer has one vote on each insight: of several uploads that cite it, the one that was accepted first counts. */
export function countVotes(votes: readonly DatedVote[]): VoteCount[] {
  const first = new Map<string, DatedVote>();
  for (const vote of votes) {
    const ballot = `${vote.about} ${vote.tokenDigest}`;
    const known = first.get(ballot);
    if (!known || isEarlier(vote, known)) first.set(ballot, vote);
  }
  const counts = new Map<string, VoteCount>();
  for (const { about, helped } of first.values()) {
    const count = counts.get(about) ?? { about, helped: 0, harmed: 0 };
    count[helped ? 'helped' : 'harmed']++;
    counts.set(about, count);
  }
  return [...counts.values()];
}

function isEarlier(a: DatedVote, b: DatedVote): boolean {
  return a.acceptedAt < b.acceptedAt || (a.acceptedAt === b.acceptedAt && a.id < b.id);
}
