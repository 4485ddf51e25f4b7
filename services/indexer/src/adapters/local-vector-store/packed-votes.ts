import type { FoundVote } from '../../domain/ports.js';

/** What stores hand out at most at once. */
export const mostVotes = 16_384;

/** Votes in one value, as whole rows are (see `PackedRows`): a line a vote. Takes the insights, the collection and the limit. */
export const packedVotesQuery = `
  SELECT group_concat(vote, char(10)) AS votes
  FROM (
    SELECT key || ' ' || about || ' ' || token || ' ' || helped || ' ' || accepted_at AS vote
    FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted
      CROSS JOIN votes ON votes.collection = ? AND about = wanted.value JOIN rows USING (seq)
    LIMIT min(?, ${mostVotes})
  )`;

export function unpackVotes(collectionId: string, packed: string): FoundVote[] {
  if (packed === '') return [];
  return packed.split('\n').map((line) => {
    const [key, about = '', tokenDigest = '', helped, acceptedAt] = line.split(' ');
    return { id: `${collectionId}/${key}`, about, tokenDigest, helped: helped === '1', acceptedAt: Number(acceptedAt) };
  });
}
