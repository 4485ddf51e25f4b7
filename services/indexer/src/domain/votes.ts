import type { Origin, ReplaceRequest } from '@whetstone/contracts';

import { insightNameOf, isInsightName, voteNameOf } from './insight-names.js';
import type { DatedVote, Row, VectorStore, VoteCount } from './ports.js';
import { feedbackJobOf, type InsightBody } from './row-bodies.js';
import { hasVote } from './tally.js';

export interface CastVote {
  /** As `insightNameOf` builds it. */
  about: string;
  tokenDigest: string;
  helped: boolean;
}

export interface VoteBody {
  vote: CastVote;
  origin: Origin;
  /** Of feedback. */
  note?: string;
}

/**
 * The votes that a run's outcome casts on the insights it was shown. Only an outcome reported by the caller counts:
 * otherwise the analyser's own judgement could promote its lessons.
 */
export function votesCastBy({ collectionId, run, cited }: ReplaceRequest): CastVote[] {
  if (cited?.arm !== 'recommended' || run.judged || run.outcome === 'unknown') return [];
  const { tokenDigest, insightIds } = cited;
  const helped = run.outcome === 'success';
  const shown = new Set(insightIds.flatMap((id) => voteNameOfCited(collectionId, id) ?? []));
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

/** Of the votes on one insight or lesson, the notes of so many are looked up. */
const maxNoted = 32;

/** The notes that came with votes, by the ids of those. Only feedback has some; of each group, the latest are looked up. */
export async function notesOf(
  store: Pick<VectorStore, 'rowsOfJobs'>,
  collectionId: string,
  groups: readonly (readonly DatedVote[])[],
): Promise<ReadonlyMap<string, string>> {
  const isFeedback = ({ id, tokenDigest }: DatedVote) =>
    id.startsWith(`${collectionId}/${feedbackJobOf(tokenDigest)}/`);
  const latest = groups.flatMap((votes) =>
    votes
      .filter(isFeedback)
      .sort((a, b) => b.acceptedAt - a.acceptedAt)
      .slice(0, maxNoted),
  );
  if (latest.length === 0) return new Map();
  const jobs = [...new Set(latest.map(({ tokenDigest }) => feedbackJobOf(tokenDigest)))];
  const rows = await store.rowsOfJobs(collectionId, jobs);
  return new Map(
    rows.flatMap(({ id, type, body }): [string, string][] => {
      const note = type === 'vote' ? parsed(body).note : undefined;
      return typeof note === 'string' ? [[id, note]] : [];
    }),
  );
}

function parsed(body: string): Partial<VoteBody> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<VoteBody>;
  } catch {
    return {};
  }
}

/** Answers cite names. Those of an earlier version cite row ids; `undefined` if one belongs to another collection. */
export function voteNameOfCited(collectionId: string, cited: string): string | undefined {
  return isInsightName(cited) ? voteNameOf(cited) : insightNameOfId(collectionId, cited);
}

/** `undefined` if the id belongs to another collection. */
export function insightNameOfId(collectionId: string, id: string): string | undefined {
  const [collection, jobId, attempt, ordinal, ...more] = id.split('/');
  const isWhole = jobId && attempt && ordinal !== undefined && /^\d+$/.test(ordinal) && more.length === 0;
  return collection === collectionId && isWhole ? insightNameOf({ jobId, ordinal: Number(ordinal) }) : undefined;
}

/** The votes that count. Each answer has one per insight: of several uploads that cite it, the one accepted first. */
export function countedVotes(votes: readonly DatedVote[]): DatedVote[] {
  const first = new Map<string, DatedVote>();
  for (const vote of votes) {
    const ballot = `${vote.about} ${vote.tokenDigest}`;
    const known = first.get(ballot);
    if (!known || isEarlier(vote, known)) first.set(ballot, vote);
  }
  return [...first.values()];
}

export function countVotes(votes: readonly DatedVote[]): VoteCount[] {
  const counts = new Map<string, VoteCount>();
  for (const { about, helped } of countedVotes(votes)) {
    const count = counts.get(about) ?? { about, helped: 0, harmed: 0 };
    count[helped ? 'helped' : 'harmed']++;
    counts.set(about, count);
  }
  return [...counts.values()];
}

function isEarlier(a: DatedVote, b: DatedVote): boolean {
  return a.acceptedAt < b.acceptedAt || (a.acceptedAt === b.acceptedAt && a.id < b.id);
}

/**
 * Ids of the votes among `rows` that must not stay: their insight is missing, or a tally contains them for good. Call it
 * after writing the rows.
 */
export async function orphanedVotes(
  store: VectorStore,
  collectionId: string,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const votes = rows.filter(({ type }) => type === 'vote').map((row) => ({ row, vote: voteOf(row) }));
  if (votes.length === 0) return new Set();
  const subjects = [...new Set(votes.flatMap(({ vote }) => (vote ? subjectOf(vote.about) : [])))];
  const [named, ofJobs] = await Promise.all([
    store.rowsNamed(collectionId, subjects.filter(isInsightName)),
    store.rowsOfJobs(
      collectionId,
      subjects.filter((subject) => !isInsightName(subject)),
    ),
  ]);
  const there = new Map<string, Row[]>();
  for (const row of [...named, ...ofJobs.filter(isInsight)]) {
    for (const about of voteNamesOf(row)) there.set(about, [...(there.get(about) ?? []), row]);
  }
  const isOrphan = ({ row, vote }: { row: Row; vote: CastVote | undefined }) => {
    const insights = vote && there.get(vote.about);
    return !insights || insights.some((insight) => isTallied(insight, vote) && isLongBefore(insight, row));
  };
  return new Set(votes.filter(isOrphan).map(({ row }) => row.id));
}

const hourMicros = 60 * 60 * 1_000_000;

/**
 * A tally that was written just now may still withdraw: the vote stays then, and the next pass counts it in or drops it.
 * An hour is much longer than a pass has its lease, whatever the clocks say.
 */
function isLongBefore(insight: Pick<Row, 'attempt'>, vote: Pick<Row, 'attempt'>): boolean {
  return Number.parseInt(insight.attempt, 10) + hourMicros < Number.parseInt(vote.attempt, 10);
}

export function isTallied({ body }: Pick<Row, 'body'>, { tokenDigest }: Pick<CastVote, 'tokenDigest'>): boolean {
  const { tally } = JSON.parse(body) as Partial<InsightBody>;
  return tally !== undefined && hasVote(tally, tokenDigest);
}

/** The job or the name that a vote is about. */
function subjectOf(about: string): string {
  return about.slice(0, about.lastIndexOf('/'));
}

/** Every name under which there may be votes on the insight. */
export function voteNamesOf(row: Pick<Row, 'jobId' | 'ordinal' | 'name'>): string[] {
  return [...new Set([insightNameOf(row), ...(row.name === '' ? [] : [voteNameOf(row.name)])])];
}

function isInsight({ type }: Pick<Row, 'type'>): boolean {
  return type === 'insight';
}
