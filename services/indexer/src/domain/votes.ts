import type { Origin, ReplaceRequest } from '@whetstone/contracts';

import type { Row, VectorStore, VoteCount } from './ports.js';

export interface CastVote {
  /** As `insightNameOf` builds it. */
  about: string;
  tokenDigest: string;
  helped: boolean;
}

export interface VoteBody {
  vote: CastVote;
  origin: Origin;
}

/**
 * The votes that a run's outcome casts on the insights it was shown. Only an outcome reported by the caller counts:
 * otherwise the analyser's own judgement could promote its lessons.
 */
export function votesCastBy({ collectionId, run, cited }: ReplaceRequest): CastVote[] {
  if (cited?.arm !== 'recommended' || run.judged || run.outcome === 'unknown') return [];
  const { tokenDigest, insightIds } = cited;
  const helped = run.outcome === 'success';
  const shown = new Set(insightIds.flatMap((id) => insightNameOfId(collectionId, id) ?? []));
  return [...shown].map((about) => ({ about, tokenDigest, helped }));
}

/** `undefined` if the row is not a vote or its body is malformed. */
export function voteOf({ type, body }: Pick<Row, 'type' | 'body'>): CastVote | undefined {
  if (type !== 'vote') return undefined;
  const { vote } = parsed(body);
  const isVote =
    /^[^/\s]{1,256}\/\d{1,9}$/.test(String(vote?.about)) &&
    /^[\w-]{1,64}$/.test(String(vote?.tokenDigest)) &&
    typeof vote?.helped === 'boolean';
  return isVote ? vote : undefined;
}

/** Votes are never searched, but every row needs a vector: all votes share this one. */
export function voteVector(dimension: number): Float32Array {
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

/** How votes refer to an insight: by the parts of its id that stay the same across attempts. */
export function insightNameOf({ jobId, ordinal }: { jobId: string; ordinal: number }): string {
  return `${jobId}/${ordinal}`;
}

/** `undefined` if the id belongs to another collection. */
export function insightNameOfId(collectionId: string, id: string): string | undefined {
  const [collection, jobId, attempt, ordinal, ...more] = id.split('/');
  const isWhole = jobId && attempt && ordinal !== undefined && /^\d+$/.test(ordinal) && more.length === 0;
  return collection === collectionId && isWhole ? insightNameOf({ jobId, ordinal: Number(ordinal) }) : undefined;
}

function jobOfInsight(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}

export interface DatedVote extends CastVote {
  id: string;
  acceptedAt: number;
}

/** Each answer has one vote per insight: of several uploads that cite it, the one accepted first counts. */
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

/** Ids of the votes among `rows` whose insight is missing. Call it after writing the rows. */
export async function orphanedVotes(
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

const votesPerPass = 10_000;
/** More than any insight's votes need; bounds the loop if a store fails to delete. */
const maxPasses = 100;

/**
 * Deletes rows and the votes on insights that disappear with them. Checks for votes again after the deletion; votes
 * written later than that find their insight gone themselves.
 */
export async function deleteWithVotes(
  store: VectorStore,
  collectionId: string,
  ids: readonly string[],
  removed: readonly string[],
): Promise<void> {
  const votes = removed.length === 0 ? [] : await store.votesOn(collectionId, [...removed], votesPerPass);
  const doomed = [...ids, ...votes];
  if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
  if (removed.length === 0) return;
  for (let pass = 0; pass < maxPasses; pass++) {
    const left = await store.votesOn(collectionId, [...removed], votesPerPass);
    if (left.length === 0) return;
    await store.deleteRows(collectionId, left);
  }
}

/** Names of insights in `doomed` that no row in `left` still has. */
export function removedInsights(
  doomed: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
  left: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
): string[] {
  const staying = new Set(left.filter(isInsight).map(insightNameOf));
  return [...new Set(doomed.filter(isInsight).map(insightNameOf))].filter((name) => !staying.has(name));
}

function isInsight({ type }: Pick<Row, 'type'>): boolean {
  return type === 'insight';
}
