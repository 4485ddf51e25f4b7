import type { SearchHit, SearchRequest, SearchResult } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

import type { InsightBody } from './build-rows.js';
import { checkCancelled } from './check-cancelled.js';
import { cosine } from './cosine.js';
import { fuseRanks } from './fuse-ranks.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { reduceToIntent } from './reduce-to-intent.js';

export interface SearchDeps {
  store: VectorStore;
  embedder: Embedder;
}

export interface SearchConfig {
  /** What the fused score of an insight of the same agent type is multiplied by; 1: no preference. */
  agentTypeBoost: number;
}

/** How deep each list is fused at least: what one list ranks far down the other may rank first. */
const shallowestList = 30;

/** Finds insights by meaning and by words, fused by rank; looking for words goes on while the meaning is computed. */
export function createSearch({ store, embedder }: SearchDeps, { agentTypeBoost }: SearchConfig) {
  function preferring(agentType: string | undefined, hit: SearchHit): SearchHit {
    const sameAgent = agentType !== undefined && hit.origin.agentType === agentType;
    return sameAgent ? { ...hit, score: hit.score * agentTypeBoost } : hit;
  }

  return async function search(request: SearchRequest, { signal }: CallContext): Promise<SearchResult> {
    checkCancelled(signal);
    const { collectionId, agentType, limit } = request;
    const intent = reduceToIntent(request.text);
    const words = request.contextText ? `${intent}\n${reduceToIntent(request.contextText)}` : intent;
    const depth = Math.max(shallowestList, limit);

    const [vector, byWords] = await Promise.all([
      embedder.embed(intent, 'interactive'),
      store.searchByText(collectionId, words, depth),
    ]);
    checkCancelled(signal);
    const byMeaning = await store.searchByVector(collectionId, vector, depth);

    const lists = latestAttempts([byMeaning, byWords].map((list) => list.map(({ row }) => row)));
    const scores = fuseRanks(lists.map((rows) => rows.map(({ id }) => id)));
    const rows = new Map(lists.flat().map((row) => [row.id, row]));
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
    const hits = best.flatMap(([id, score]) => {
      const row = rows.get(id);
      return row ? [preferring(agentType, hitOf(row, vector, score))] : [];
    });
    return { hits: hits.sort(bestFirst) };
  };
}

export type Search = ReturnType<typeof createSearch>;

/** While a later attempt replaces an earlier one, rows of both are there for a moment; one job speaks once. */
function latestAttempts(lists: Row[][]): Row[][] {
  const latest = new Map<string, string>();
  for (const { jobId, attempt } of lists.flat()) {
    if (attempt > (latest.get(jobId) ?? '')) latest.set(jobId, attempt);
  }
  return lists.map((rows) => rows.filter(({ jobId, attempt }) => latest.get(jobId) === attempt));
}

function hitOf(row: Row, vector: Float32Array, score: number): SearchHit {
  const { insight, origin } = JSON.parse(row.body) as InsightBody;
  return { id: row.id, insight, intent: row.intent, origin, similarity: cosine(vector, row.vector), score };
}

function bestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || b.similarity - a.similarity || (a.id < b.id ? -1 : 1);
}
