import type { Origin, ReplaceRequest } from '@whetstone/contracts';

import type { Row, VectorStore, VoteCount } from './ports.js';

export interface CastVote {
  /** The insight, as `insightNameOf` calls it. */
  about: string;
  tokenDigest: string;
  helped: boolean;
}

/** What the body of a vote's row says. */
export interface VoteBody {
  vote: CastVote;
  origin: Origin;
}

/**
 * What the outcome of a run says of each insight that it was shown. Only a caller's word is a vote: what the analyser judged
 * from the turns would let it praise its own lessons.
 */
export function votesCastBy({ collectionId, run, cited }: ReplaceRequest): CastVote[] {
  if (cited?.arm !== 'recommended' || run.judged || run.outcome === 'unknown') return [];
  const { tokenDigest, insightIds } = cited;
  const helped = run.outcome === 'success';
  const shown = new Set(insightIds.flatMap((id) => insightNameOfId(collectionId, id) ?? []));
  return [...shown].map((about) => ({ about, tokenDigest, helped }));
}

/** What a row votes; undefined where it is no vote, or says nothing that one could count. */
export function voteOf({ type, body }: Pick<Row, 'type' | 'body'>): CastVote | undefined {
  if (type !== 'vote') return undefined;
  const { vote } = parsed(body);
  const isVote =
    /^[^/\s]{1,256}\/\d{1,9}$/.test(String(vote?.about)) &&
    /^[\w-]{1,64}$/.test(String(vote?.tokenDigest)) &&
    typeof vote?.helped === 'boolean';
  return isVote ? vote : undefined;
}

/** A vote has no text and is found by none: its vector, which a store must have, is the same for all. */
export function directionOfVotes(dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  vector[0] = 1;
  return vector;
}

function parsed(body: string): Partial<VoteBody> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<VoteBody>;
  } catch {
    return {};
  }
}

/** What a vote calls an insight: what stays the same of its row's id when another attempt replaces it. */
export function insightNameOf({ jobId, ordinal }: { jobId: string; ordinal: number }): string {
  return `${jobId}/${ordinal}`;
}

/** The same from the row's id; undefined where that is not of this collection. */
export function insightNameOfId(collectionId: string, id: string): string | undefined {
  const [collection, jobId, attempt, ordinal, ...more] = id.split('/');
  const isWhole = jobId && attempt && ordinal !== undefined && /^\d+$/.test(ordinal) && more.length === 0;
  return collection === collectionId && isWhole ? insightNameOf({ jobId, ordinal: Number(ordinal) }) : undefined;
}

function jobOfInsight(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}

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

/** The ids of those votes among the rows whose insight is not there, or that name none. Asked after they are written: strong. */
export async function votesOnNothing(
  store: VectorStore,
  collectionId: string,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const votes = rows.filter(({ type }) => type === 'vote');
  const abouts = new Map(votes.map((row) => [row.id, voteOf(row)?.about]));
  const jobs = new Set([...abouts.values()].flatMap((about) => (about === undefined ? [] : jobOfInsight(about))));
  const there = new Set<string>();
  await Promise.all(
    [...jobs].map(async (jobId) => {
      for (const row of await store.rowsOfJob(collectionId, jobId)) {
        if (row.type === 'insight') there.add(insightNameOf(row));
      }
    }),
  );
  return new Set([...abouts].filter(([, about]) => about === undefined || !there.has(about)).map(([id]) => id));
}

const atOnce = 10_000;
/** An insight never has that many votes; a store that would not delete them must not keep us for ever. */
const mostLooks = 100;

/**
 * Deletes rows, and the votes on insights that are gone with them. Votes are looked for once more after the deletion: one that
 * is written later looks for its insight itself, and finds it gone.
 */
export async function deleteWithVotes(
  store: VectorStore,
  collectionId: string,
  ids: readonly string[],
  goneInsights: readonly string[],
): Promise<void> {
  const votes = goneInsights.length === 0 ? [] : await store.votesOn(collectionId, [...goneInsights], atOnce);
  const doomed = [...ids, ...votes];
  if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
  if (goneInsights.length === 0) return;
  for (let looks = 0; looks < mostLooks; looks++) {
    const left = await store.votesOn(collectionId, [...goneInsights], atOnce);
    if (left.length === 0) return;
    await store.deleteRows(collectionId, left);
  }
}

/** The insights that none of the rows left has any more. */
export function goneInsightsOf(
  doomed: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
  left: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
): string[] {
  const staying = new Set(left.filter(isInsight).map(insightNameOf));
  return [...new Set(doomed.filter(isInsight).map(insightNameOf))].filter((name) => !staying.has(name));
}

function isInsight({ type }: Pick<Row, 'type'>): boolean {
  return type === 'insight';
}
