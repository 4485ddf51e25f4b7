import type { VoteCount } from '../../domain/ports.js';

const mostVotes = 16_384;
/** Of one insight, in the order of their digests and so as good as drawn. */
const countedVotes = 256;

/** Keys of votes, a line each. Takes the insights as JSON, the collection and the limit. */
export const packedVotesQuery = `
  SELECT group_concat(key, char(10)) AS votes
  FROM (
    SELECT votes.key AS key
    FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted CROSS JOIN votes ON collection = ? AND about = wanted.value
    LIMIT min(?, ${mostVotes})
  )`;

/**
 * Counts of votes, a line an insight that has any: how many helped, and how many there are. By token, in the order of the index;
 * `helped` is that of the row with the least time, of equal ones the first. Takes the insights as JSON, and the collection.
 */
export const packedVoteCountsQuery = `
  SELECT group_concat(value || ' ' || counts, char(10)) AS votes
  FROM (
    SELECT value, (
      SELECT sum(helped) || ' ' || count(*)
      FROM (
        SELECT helped, min(accepted_at) FROM votes
        WHERE collection = ?2 AND about = wanted.value GROUP BY token LIMIT ${countedVotes}
      )
    ) AS counts
    FROM (SELECT DISTINCT value FROM json_each(?1)) AS wanted
  )`;

export function unpackVoteIds(collectionId: string, packed: string): string[] {
  return packed === '' ? [] : packed.split('\n').map((key) => `${collectionId}/${key}`);
}

export function unpackVoteCounts(packed: string): VoteCount[] {
  if (packed === '') return [];
  return packed.split('\n').map((line) => {
    const [about = '', helped, all] = line.split(' ');
    return { about, helped: Number(helped), harmed: Number(all) - Number(helped) };
  });
}
