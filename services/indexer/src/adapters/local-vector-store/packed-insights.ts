import type { CollectionSettings, LessonVerdict } from '@whetstone/contracts';

import { type Decided, settingsJob } from '../../domain/decisions.js';
import { consolidatedOrdinal } from '../../domain/insight-names.js';
import type { DatedVote, FoundInsight, FoundInsights, VoteCount } from '../../domain/ports.js';

export interface WordQuery {
  text: string;
  limit: number;
}

export interface MeaningQuery {
  vector: Float32Array;
  limit: number;
  /** Numbers of insights the caller already has; their similarity is returned too. */
  known: number[];
}

/** Content of several rows, concatenated by SQLite like `PackedRows`; null: no rows. */
export interface PackedContents {
  /** Byte lengths of intent and body in `contents`, row by row. */
  lengths: string | null;
  contents: Uint8Array | null;
}

/** Insights as sent between threads. */
export interface PackedInsights extends PackedContents {
  /** Of the insights within their collection. */
  numbers: number[];
  /** One per line. */
  keys: string;
  /** As `unpackVoteCounts` reads them. */
  votes: string;
  /** As `unpackDecided` reads them. */
  decided: string;
}

/** Result of a search by meaning, in addition to insights the caller already has. */
export interface PackedNearest {
  /** Numbers of the nearest insights, best first, and their similarities. */
  nearest: number[];
  similarities: number[];
  /** Similarities of the caller's insights; null: deleted. */
  known: (number | null)[];
  /** The nearest insights that the caller does not have. */
  insights: PackedInsights;
}

export const noInsights: PackedInsights = {
  numbers: [],
  keys: '',
  votes: '',
  decided: '',
  lengths: null,
  contents: null,
};

/** `source`: the query from FROM on; determines the order of rows. */
export function packedContentsQuery(source: string): string {
  return `
    SELECT group_concat(length(intent) || ' ' || length(body), ' ') AS lengths,
      CAST(group_concat(intent || body, '') AS BLOB) AS contents
    FROM (SELECT intent, body ${source})`;
}

interface UnpackedInsights extends Decided {
  /** By number, in order. */
  insights: Map<number, Omit<FoundInsight, 'similarity'>>;
  votes: VoteCount[];
}

/** Of one line per lesson, or for the settings: its id and what counts, as JSON. */
export function unpackDecided(packed: string): Decided {
  const decided: Decided = { verdicts: [], settings: {} };
  for (const line of packed === '' ? [] : packed.split('\n')) {
    const json = line.slice(line.indexOf(' ') + 1);
    if (line.startsWith(`${settingsJob} `)) decided.settings = JSON.parse(json) as CollectionSettings;
    else decided.verdicts.push(JSON.parse(json) as LessonVerdict);
  }
  return decided;
}

/** Row by row. */
export function unpackContents({ lengths, contents }: PackedContents): { intent: string; body: string }[] {
  if (lengths === null || contents === null) return [];
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  const sizes = lengths.split(' ').map(Number);
  let at = 0;
  const next = (size = 0) => {
    const start = at;
    at += size;
    return bytes.toString('utf8', start, at);
  };
  return Array.from({ length: sizes.length / 2 }, (_, row) => ({
    intent: next(sizes[2 * row]),
    body: next(sizes[2 * row + 1]),
  }));
}

export function unpackInsights(collectionId: string, packed: PackedInsights): UnpackedInsights {
  const { numbers, keys, votes, decided } = packed;
  const contents = unpackContents(packed);
  const allKeys = keys.split('\n');
  const insights = new Map(
    numbers.map((n, place) => {
      const key = allKeys[place] as string;
      const [jobId = '', attempt = ''] = key.split('/', 2);
      return [n, { id: `${collectionId}/${key}`, jobId, attempt, intent: '', body: '', ...contents[place] }];
    }),
  );
  return { insights, votes: unpackVoteCounts(votes), ...unpackDecided(decided) };
}

export function wordsOnly({ insights, ...others }: UnpackedInsights): FoundInsights {
  return {
    byMeaning: [],
    byWords: [...insights.values()].map((insight) => ({ ...insight, similarity: 0 })),
    ...others,
  };
}

/** Combines the hits by words with those by meaning. */
export function combineHits(collectionId: string, byWords: UnpackedInsights, near: PackedNearest): FoundInsights {
  const additional = unpackInsights(collectionId, near.insights);
  const found = (n: number, similarity: number | null | undefined): FoundInsight[] => {
    const insight = byWords.insights.get(n) ?? additional.insights.get(n);
    return insight && typeof similarity === 'number' ? [{ ...insight, similarity }] : [];
  };
  const counts = [...byWords.votes, ...additional.votes];
  const verdicts = [...byWords.verdicts, ...additional.verdicts];
  return {
    byMeaning: near.nearest.flatMap((n, place) => found(n, near.similarities[place])),
    byWords: [...byWords.insights.keys()].flatMap((n, place) => found(n, near.known[place])),
    // Two attempts at one insight share their votes.
    votes: [...new Map(counts.map((count) => [count.about, count])).values()],
    verdicts: [...new Map(verdicts.map((verdict) => [verdict.lesson, verdict])).values()],
    settings: additional.settings,
  };
}

const maxVotes = 16_384;
/** Per insight; ordered by token digest, so effectively a random sample. */
const countedVotes = 256;

/** Votes, one per line: key, insight name, token, helped and acceptance time. Parameters: insight names as JSON, collection, limit. */
export const packedVotesQuery = `
  SELECT group_concat(vote, char(10)) AS votes
  FROM (
    SELECT votes.key || ' ' || about || ' ' || token || ' ' || helped || ' ' || accepted_at AS vote
    FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted CROSS JOIN votes ON collection = ? AND about = wanted.value
    LIMIT min(?, ${maxVotes})
  )`;

/**
 * Vote counts, one line per insight that has votes: helped and total. Per token, the earliest row decides; ties go to
 * the first in the index. Parameters: insight names as JSON, collection, `seq`s of insights to add by their own names.
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
    FROM (
      SELECT value FROM json_each(?1)
      UNION SELECT name || '/${consolidatedOrdinal}' FROM json_each(?3) AS found CROSS JOIN names ON seq = found.value
    ) AS wanted
  )`;

export function unpackVotes(collectionId: string, packed: string): DatedVote[] {
  if (packed === '') return [];
  return packed.split('\n').map((line) => {
    const [key = '', about = '', tokenDigest = '', helped, acceptedAt] = line.split(' ');
    const id = `${collectionId}/${key}`;
    return { id, about, tokenDigest, helped: helped === '1', acceptedAt: Number(acceptedAt) };
  });
}

function unpackVoteCounts(packed: string): VoteCount[] {
  if (packed === '') return [];
  return packed.split('\n').map((line) => {
    const [about = '', helped, all] = line.split(' ');
    return { about, helped: Number(helped), harmed: Number(all) - Number(helped) };
  });
}
