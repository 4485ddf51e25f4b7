import type { FoundInsights } from '../../domain/ports.js';
import { unpackVoteCounts } from './packed-votes.js';

/** What rows say, put together by SQLite as whole rows are (see `PackedRows`); null: no rows. */
export interface PackedContents {
  /** How many bytes of `contents` are intent and body, row by row. */
  lengths: string | null;
  contents: Uint8Array | null;
}

/** What a search has found, on its way from thread to thread: each insight once, however many lists it is in. */
export interface PackedFound extends PackedContents {
  /** One a line. */
  keys: string;
  similarities: number[];
  /** The lists, as places among the insights. */
  byMeaning: number[];
  byWords: number[];
  /** As `unpackVoteCounts` reads them. */
  votes: string;
}

export const nothingFound: PackedFound = {
  keys: '',
  similarities: [],
  byMeaning: [],
  byWords: [],
  votes: '',
  lengths: null,
  contents: null,
};

/** `source` is everything from FROM on, and has the order of the rows. */
export function packedContentsQuery(source: string): string {
  return `
    SELECT group_concat(length(intent) || ' ' || length(body), ' ') AS lengths,
      CAST(group_concat(intent || body, '') AS BLOB) AS contents
    FROM (SELECT intent, body ${source})`;
}

export function unpackFound(collectionId: string, packed: PackedFound): FoundInsights {
  const { keys, similarities, byMeaning, byWords, votes, lengths, contents } = packed;
  if (lengths === null || contents === null) return { byMeaning: [], byWords: [], votes: [] };
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  const sizes = lengths.split(' ');
  let at = 0;
  const next = (size: string | undefined) => {
    const start = at;
    at += Number(size);
    return bytes.toString('utf8', start, at);
  };
  const insights = keys.split('\n').map((key, place) => {
    const [jobId = '', attempt = ''] = key.split('/', 2);
    return {
      id: `${collectionId}/${key}`,
      jobId,
      attempt,
      intent: next(sizes[2 * place]),
      body: next(sizes[2 * place + 1]),
      similarity: similarities[place] as number,
    };
  });
  const listOf = (places: number[]) => places.flatMap((place) => insights[place] ?? []);
  return { byMeaning: listOf(byMeaning), byWords: listOf(byWords), votes: unpackVoteCounts(votes) };
}
