import type { FoundInsight, FoundInsights, VoteCount } from '../../domain/ports.js';

export interface WordQuery {
  text: string;
  limit: number;
}

export interface MeaningQuery {
  vector: Float32Array;
  limit: number;
  /** Insights that the caller has, by their numbers: how near they are is told too. */
  besides: number[];
}

/** What rows say, put together by SQLite as whole rows are (see `PackedRows`); null: no rows. */
export interface PackedContents {
  /** How many bytes of `contents` are intent and body, row by row. */
  lengths: string | null;
  contents: Uint8Array | null;
}

/** Insights on their way from thread to thread. */
export interface PackedInsights extends PackedContents {
  /** Of the insights within their collection. */
  numbers: number[];
  /** One a line. */
  keys: string;
  /** As `unpackVoteCounts` reads them. */
  votes: string;
}

/** What a search by meaning has found, beside insights that the caller has already. */
export interface PackedNearest {
  /** The numbers of the nearest, best first, and how near they are. */
  nearest: number[];
  similarities: number[];
  /** How near the caller's are; null: gone. */
  besides: (number | null)[];
  /** Of the nearest, those that the caller has not. */
  insights: PackedInsights;
}

export const noInsights: PackedInsights = { numbers: [], keys: '', votes: '', lengths: null, contents: null };

/** `source` is everything from FROM on, and has the order of the rows. */
export function packedContentsQuery(source: string): string {
  return `
    SELECT group_concat(length(intent) || ' ' || length(body), ' ') AS lengths,
      CAST(group_concat(intent || body, '') AS BLOB) AS contents
    FROM (SELECT intent, body ${source})`;
}

interface ToldInsights {
  /** By their numbers, in their order. */
  insights: Map<number, Omit<FoundInsight, 'similarity'>>;
  votes: VoteCount[];
}

export function unpackInsights(collectionId: string, packed: PackedInsights): ToldInsights {
  const { numbers, keys, votes, lengths, contents } = packed;
  if (lengths === null || contents === null) return { insights: new Map(), votes: [] };
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  const sizes = lengths.split(' ');
  const allKeys = keys.split('\n');
  let at = 0;
  const next = (size: string | undefined) => {
    const start = at;
    at += Number(size);
    return bytes.toString('utf8', start, at);
  };
  const insights = new Map(
    numbers.map((n, place) => {
      const key = allKeys[place] as string;
      const [jobId = '', attempt = ''] = key.split('/', 2);
      const intent = next(sizes[2 * place]);
      return [n, { id: `${collectionId}/${key}`, jobId, attempt, intent, body: next(sizes[2 * place + 1]) }];
    }),
  );
  return { insights, votes: unpackVoteCounts(votes) };
}

export function wordsAlone({ insights, votes }: ToldInsights): FoundInsights {
  return { byMeaning: [], byWords: [...insights.values()].map((told) => ({ ...told, similarity: 0 })), votes };
}

/** Both lists, of what words have found and of what was found by meaning beside it. */
export function joinFound(collectionId: string, byWords: ToldInsights, near: PackedNearest): FoundInsights {
  const others = unpackInsights(collectionId, near.insights);
  const found = (n: number, similarity: number | null | undefined): FoundInsight[] => {
    const told = byWords.insights.get(n) ?? others.insights.get(n);
    return told && typeof similarity === 'number' ? [{ ...told, similarity }] : [];
  };
  const counts = [...byWords.votes, ...others.votes];
  return {
    byMeaning: near.nearest.flatMap((n, place) => found(n, near.similarities[place])),
    byWords: [...byWords.insights.keys()].flatMap((n, place) => found(n, near.besides[place])),
    // Two attempts at one insight have the same votes.
    votes: [...new Map(counts.map((count) => [count.about, count])).values()],
  };
}

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

function unpackVoteCounts(packed: string): VoteCount[] {
  if (packed === '') return [];
  return packed.split('\n').map((line) => {
    const [about = '', helped, all] = line.split(' ');
    return { about, helped: Number(helped), harmed: Number(all) - Number(helped) };
  });
}
