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

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { embedIntent } from './intent/similarity.js';
import type { Embedder, FoundInsight, Row, VectorStore } from './ports.js';
import { readInsightBody, readRunBody } from './rows.js';
import { insightNameOfId } from './votes.js';

interface SearchDeps {
  store: VectorStore;
  embedder: Embedder;
}

interface SearchConfig {
  /** What the fused score of an insight of the same agent type is multiplied by; 1: no preference. */
  agentTypeBoost: number;
}

/** How deep each list is fused at least: what one list ranks far down the other may rank first. */
const shallowestList = 30;

/** Finds insights by meaning and by words, fused by rank, and what outcomes say of them. */
export function createSearch({ store, embedder }: SearchDeps, { agentTypeBoost }: SearchConfig) {
  function preferring(agentType: string | undefined, hit: SearchHit): SearchHit {
    const sameAgent = agentType !== undefined && hit.origin.agentType === agentType;
    return sameAgent ? { ...hit, score: hit.score * agentTypeBoost } : hit;
  }

  function vectorOf(intent: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const vector = embedIntent(embedder, intent, 'interactive').finally(() => checkCancelled(signal));
    // A store that fails before it has looked at the vector leaves nobody who hears how that ended.
    vector.catch(() => undefined);
    return vector;
  }

  return async function search(request: SearchRequest, { signal }: CallContext): Promise<SearchResult> {
    checkCancelled(signal);
    const { collectionId, agentType, limit } = request;
    const intent = reduceToIntent(request.text);
    const words = request.contextText ? `${intent}\n${reduceToIntent(request.contextText)}` : intent;
    const depth = Math.max(shallowestList, limit);

    const meaning = request.byWordsAlone ? {} : { vector: vectorOf(intent, signal) };
    const { byMeaning, byWords, votes } = await store.search(collectionId, { ...meaning, text: words, limit: depth });
    const counted = new Map(votes.map(({ about, helped, harmed }) => [about, { helped, harmed }]));

    const lists = latestAttempts([byMeaning, byWords]);
    const scores = fuseRanks(lists.map((list) => list.map(({ id }) => id)));
    const found = new Map([...byMeaning, ...byWords].map((insight) => [insight.id, insight]));
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
    const hits = best.flatMap(([id, score]) => {
      const insight = found.get(id);
      const name = insightNameOfId(collectionId, id) ?? '';
      return insight ? [preferring(agentType, hitOf(insight, score, counted.get(name)))] : [];
    });
    return { hits: hits.sort(bestFirst) };
  };
}

export type Search = ReturnType<typeof createSearch>;

/** While a later attempt replaces an earlier one, rows of both are there for a moment; one job speaks once. */
function latestAttempts(lists: FoundInsight[][]): FoundInsight[][] {
  const latest = new Map<string, string>();
  for (const { jobId, attempt } of lists.flat()) {
    if (attempt > (latest.get(jobId) ?? '')) latest.set(jobId, attempt);
  }
  return lists.map((list) => list.filter(({ jobId, attempt }) => latest.get(jobId) === attempt));
}

function hitOf({ id, intent, body, similarity }: FoundInsight, score: number, votes: Votes | undefined): SearchHit {
  const { insight, run, origin } = readInsightBody(body);
  return { id, insight, intent, run, origin, similarity, score, ...(votes && { votes }) };
}

function bestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || b.similarity - a.similarity || (a.id < b.id ? -1 : 1);
}

/**
 * Reciprocal rank fusion: each list gives its entry at rank r (from 1) 1 / (k + r), and what several lists rank well
 * adds up. Ranks fuse where scores cannot: a cosine and a BM25 score have no common scale. k = 60 is the constant of the
 * method's authors; it keeps a single first place from outweighing two good ones.
 */
function fuseRanks(lists: string[][], k = 60): Map<string, number> {
  const fused = new Map<string, number>();
  for (const list of lists) {
    for (const [index, id] of list.entries()) fused.set(id, (fused.get(id) ?? 0) + 1 / (k + index + 1));
  }
  return fused;
}

const mostJobs = 16;

/** What is stored of the runs of some jobs; where two attempts at a job are there for a moment, that of the later one. */
export function createGetRuns({ store }: { store: Pick<VectorStore, 'rowsOfJob'> }) {
  return async function getRuns(
    { collectionId, jobIds }: GetRunsRequest,
    { signal }: CallContext,
  ): Promise<GetRunsResult> {
    checkCancelled(signal);
    if (jobIds.length > mostJobs) throw new AppError('invalid_argument', `At most ${mostJobs} jobs at a time`);
    const rows = await Promise.all(jobIds.map((jobId) => store.rowsOfJob(collectionId, jobId)));
    return { runs: rows.flatMap(latestRun) };
  };
}

export type GetRuns = ReturnType<typeof createGetRuns>;

function latestRun(rows: readonly Row[]): StoredRun[] {
  const [latest] = rows.filter(({ type }) => type === 'run').sort((a, b) => (a.attempt > b.attempt ? -1 : 1));
  return latest ? [{ jobId: latest.jobId, run: readRunBody(latest.body).run }] : [];
}
