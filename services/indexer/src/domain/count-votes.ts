import type { Votes } from '@whetstone/contracts';

import type { FoundVote } from './ports.js';

/** By insight. One answer has one vote on each: of several uploads that cite it, the one that was accepted first counts. */
export function countVotes(votes: readonly FoundVote[]): Map<string, Votes> {
  const first = new Map<string, FoundVote>();
  for (const vote of votes) {
    const ballot = `${vote.about} ${vote.tokenDigest}`;
    const known = first.get(ballot);
    if (!known || isEarlier(vote, known)) first.set(ballot, vote);
  }
  const counts = new Map<string, Votes>();
  for (const { about, helped } of first.values()) {
    const count = counts.get(about) ?? { helped: 0, harmed: 0 };
    count[helped ? 'helped' : 'harmed']++;
    counts.set(about, count);
  }
  return counts;
}

function isEarlier(a: FoundVote, b: FoundVote): boolean {
  return a.acceptedAt < b.acceptedAt || (a.acceptedAt === b.acceptedAt && a.id < b.id);
}
