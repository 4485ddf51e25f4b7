import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { cosine } from '../../domain/intent/similarity.js';
import type { FoundInsight, FoundInsights, InsightQuery } from '../../domain/ports.js';
import { countVotes, insightNameOfId } from '../../domain/votes.js';
import { queryWords } from './encoded-words.js';
import { collectionName, insightsOf, withIds } from './expressions.js';
import { noneIfMissing } from './failure.js';
import type { PreparedCollection } from './prepared-collection.js';
import { rankByWords, type WordCandidate } from './rank-by-words.js';
import { foundFields, foundOf, idFields, idOf, type MilvusRecord, vectorOf } from './row-codec.js';
import type { LookUpVotes } from './vote-lookup.js';

export interface InsightSearchOptions {
  client: MilvusClient;
  lookUpVotes: LookUpVotes;
  consistency: 'bounded' | 'strong';
}

/** What Milvus hands out at most for one search. */
const mostHits = 16_384;
/** How many insights are looked at for their words, at least: so many that the best are among them. */
const fewestCandidates = 60;
const candidatesPerHit = 2;
const longestQuestion = 256;

/** Searches one collection both ways by two requests at once; then a small one for what only words have found, one for votes. */
export function createInsightSearch({ client, lookUpVotes, consistency }: InsightSearchOptions) {
  // By name: the SDK takes the number of Strong, 0, for none given.
  const level = consistency === 'strong' ? 'Strong' : 'Bounded';
  const consistency_level = level as never;

  async function byMeaning(shard: PreparedCollection, collectionId: string, { vector, limit }: InsightQuery) {
    if (!vector) return [];
    const data = Array.from(await vector);
    const { results } = await shard.use((timeout) =>
      client.search({
        ...about(shard, collectionId),
        data,
        anns_field: 'vector',
        metric_type: 'COSINE',
        limit: Math.min(limit, mostHits),
        output_fields: foundFields,
        timeout,
      }),
    );
    const hits = results as (MilvusRecord & { score: number })[];
    return hits.map((hit) => foundOf(collectionId, hit, withinOne(hit.score))).sort(bestFirst);
  }

  async function sharingWords(shard: PreparedCollection, collectionId: string, words: string[], limit: number) {
    if (words.length === 0) return [];
    const { results } = await shard.use((timeout) =>
      client.search({
        ...about(shard, collectionId),
        data: words.join(' '),
        anns_field: 'bm25',
        metric_type: 'BM25',
        limit: Math.min(Math.max(fewestCandidates, candidatesPerHit * limit), mostHits),
        output_fields: [...idFields, 'words'],
        timeout,
      }),
    );
    const hits = results as MilvusRecord[];
    return hits.map((hit): WordCandidate => ({ id: idOf(collectionId, hit), words: String(hit['words']) }));
  }

  /** Insights by their ids, with how near they are to a vector; those that are gone meanwhile are left out. */
  async function withSimilarity(shard: PreparedCollection, collectionId: string, ids: string[], vector?: Float32Array) {
    if (ids.length === 0) return [];
    const { data } = await shard.use((timeout) =>
      client.query({
        collection_name: shard.name,
        partition_names: [collectionName(collectionId)],
        filter: withIds(ids),
        output_fields: vector ? [...foundFields, 'vector'] : foundFields,
        consistency_level,
        timeout,
      }),
    );
    const similarityOf = (record: MilvusRecord) => (vector ? cosine(vector, vectorOf(record)) : 0);
    return data.map((record) => foundOf(collectionId, record, similarityOf(record)));
  }

  function about(shard: PreparedCollection, collectionId: string) {
    return {
      collection_name: shard.name,
      partition_names: [collectionName(collectionId)],
      filter: insightsOf(collectionId),
      consistency_level,
    };
  }

  return async function search(
    shard: PreparedCollection,
    collectionId: string,
    query: InsightQuery,
  ): Promise<FoundInsights> {
    const words = queryWords(query.text, longestQuestion);
    const [near, sharing] = await Promise.all([
      byMeaning(shard, collectionId, query).catch(noneIfMissing),
      sharingWords(shard, collectionId, words, query.limit).catch(noneIfMissing),
    ]);
    const ranked = rankByWords(words, sharing).slice(0, query.limit);
    const found = new Map(near.map((insight) => [insight.id, insight]));
    const others = ranked.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    const names = [...found.keys(), ...others].flatMap((id) => insightNameOfId(collectionId, id) ?? []);
    const [further, votes] = await Promise.all([
      withSimilarity(shard, collectionId, others, await query.vector),
      lookUpVotes(shard, { collectionId, insights: names, consistency: level }),
    ]);
    for (const insight of further) found.set(insight.id, insight);
    return { byMeaning: near, byWords: ranked.flatMap(({ id }) => found.get(id) ?? []), votes: countVotes(votes) };
  };
}

/** The same vector can differ in its last digit from one place to another: that is no difference. */
function bestFirst(a: FoundInsight, b: FoundInsight): number {
  return rounded(b.similarity) - rounded(a.similarity) || (a.id < b.id ? -1 : 1);
}

function rounded(similarity: number): number {
  return Math.round(similarity * 1e6);
}

function withinOne(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
