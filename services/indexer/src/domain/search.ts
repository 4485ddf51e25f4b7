import type {
  GetRunsRequest,
  GetRunsResult,
  SearchHit,
  SearchRequest,
  SearchResult,
  StoredRun,
  Votes,
} from '@whetstone/contracts';
import { AppError, type CallContext } from '@whetstone/platform';
import { reduceToIntent } from '@whetstone/reading';

import { checkCancelled } from './check-cancelled.js';
import { lessonIdOf, voteNameOf } from './insight-names.js';
import { embedIntent } from './intent/similarity.js';
import type { Embedder, FoundInsight, Row, VectorStore, VoteCount } from './ports.js';
import { readInsightBody, readRunBody } from './row-bodies.js';
import type { StoredTally } from './tally.js';
import { insightNameOfId } from './votes.js';

interface SearchDeps {
  store: VectorStore;
  embedder: Embedder;
}

interface SearchConfig {
  /** Factor for the score of insights from the same agent type; 1: no preference. */
  agentTypeBoost: number;
}

/** Minimum depth of each list: an insight ranked low in one list may be first in the other. */
const minDepth = 30;

/** Finds insights by meaning and by words, fuses both rankings, and adds their votes. */
export function createSearch({ store, embedder }: SearchDeps, { agentTypeBoost }: SearchConfig) {
  function boosted(agentType: string | undefined, hit: Hit): Hit {
    const sameAgent = agentType !== undefined && hit.origin.agentType === agentType;
    return sameAgent ? { ...hit, score: hit.score * agentTypeBoost } : hit;
  }

  function vectorOf(intent: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const vector = embedIntent(embedder, intent, 'interactive').finally(() => checkCancelled(signal));
    // Avoids an unhandled rejection if the store fails before it awaits the vector.
    vector.catch(() => undefined);
    return vector;
  }

  return async function search(request: SearchRequest, { signal }: CallContext): Promise<SearchResult> {
    checkCancelled(signal);
    const { collectionId, agentType, limit } = request;
    const intent = reduceToIntent(request.text);
    const words = request.contextText ? `${intent}\n${reduceToIntent(request.contextText)}` : intent;
    const depth = Math.max(minDepth, limit);

    const meaning = request.byWordsAlone ? {} : { vector: vectorOf(intent, signal) };
    const found = await store.search(collectionId, { ...meaning, text: words, limit: depth });
    const { byMeaning, byWords, votes, settings } = found;

    const lists = latestAttempts([byMeaning, byWords]);
    const scores = fuseRanks(lists);
    const insights = new Map([...byMeaning, ...byWords].map((insight) => [insight.id, insight]));
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
    const hits = best.flatMap(([id, score]) => {
      const insight = insights.get(id);
      return insight ? [boosted(agentType, hitOf(insight, score))] : [];
    });
    const lessons = new Set(hits.map(({ name }) => lessonIdOf(name)));
    const verdicts = found.verdicts.filter(({ lesson }) => lessons.has(lesson));
    return { hits: withVotes(collectionId, hits.sort(bestFirst), votes), verdicts, settings };
  };
}

export type Search = ReturnType<typeof createSearch>;

/** Keeps only the latest attempt of each job: rows of two attempts can coexist briefly. */
function latestAttempts(lists: FoundInsight[][]): FoundInsight[][] {
  const latest = new Map<string, string>();
  for (const { jobId, attempt } of lists.flat()) {
    if (attempt > (latest.get(jobId) ?? '')) latest.set(jobId, attempt);
  }
  return lists.map((list) => list.filter(({ jobId, attempt }) => latest.get(jobId) === attempt));
}

interface Hit extends SearchHit {
  tally?: StoredTally;
}

function hitOf({ id, intent, body, similarity }: FoundInsight, score: number): Hit {
  return { id, intent, similarity, score, ...readInsightBody(body) };
}

/** Insights of one name share their votes: the first gets them. */
function withVotes(collectionId: string, hits: readonly Hit[], votes: readonly VoteCount[]): SearchHit[] {
  const counted = new Map(votes.map((count) => [count.about, count]));
  return hits.map((hit) => {
    const counts: Votes[] = hit.tally?.votes ? [hit.tally.votes] : [];
    for (const about of new Set([insightNameOfId(collectionId, hit.id) ?? '', voteNameOf(hit.name)])) {
      const count = counted.get(about);
      if (count) counts.push(count);
      counted.delete(about);
    }
    if (counts.length === 0) return hit;
    const sum = (pick: (count: Votes) => number) => counts.reduce((total, count) => total + pick(count), 0);
    return { ...hit, votes: { helped: sum(({ helped }) => helped), harmed: sum(({ harmed }) => harmed) } };
  });
}

function bestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || b.similarity - a.similarity || firstSeen(a) - firstSeen(b) || (a.id < b.id ? -1 : 1);
}

function firstSeen({ tally, origin }: SearchHit): number {
  return tally?.firstSeen ?? origin.acceptedAt;
}

/**
 * Reciprocal rank fusion: an entry at rank r (from 1) gets 1 / (k + r) from each list. Ranks can be combined where
 * scores cannot: cosine and BM25 have no common scale. k = 60, from the original paper, keeps a single first place from
 * outweighing two good ones. Tasks have ranks, which their insights share: whatever is known of one task, however often
 * it was done, pushes no other back.
 */
function fuseRanks(lists: readonly FoundInsight[][], k = 60): Map<string, number> {
  const fused = new Map<string, number>();
  for (const list of lists) {
    const ranks = new Map<string, number>();
    for (const { id, intent } of list) {
      const rank = ranks.get(intent) ?? ranks.size + 1;
      ranks.set(intent, rank);
      fused.set(id, (fused.get(id) ?? 0) + 1 / (k + rank));
    }
  }
  return fused;
}

const maxJobs = 16;

/** Returns the stored runs of jobs; if two attempts coexist briefly, the later one. */
export function createGetRuns({ store }: { store: Pick<VectorStore, 'rowsOfJobs'> }) {
  return async function getRuns(
    { collectionId, jobIds }: GetRunsRequest,
    { signal }: CallContext,
  ): Promise<GetRunsResult> {
    checkCancelled(signal);
    if (jobIds.length > maxJobs) throw new AppError('invalid_argument', `At most ${maxJobs} jobs per request`);
    const rows = await store.rowsOfJobs(collectionId, jobIds);
    return { runs: jobIds.flatMap((id) => latestRun(rows.filter(({ jobId }) => jobId === id))) };
  };
}

export type GetRuns = ReturnType<typeof createGetRuns>;

function latestRun(rows: readonly Row[]): StoredRun[] {
  const [latest] = rows.filter(({ type }) => type === 'run').sort((a, b) => (a.attempt > b.attempt ? -1 : 1));
  return latest ? [{ jobId: latest.jobId, run: readRunBody(latest.body).run }] : [];
}
