import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { cosine } from '../../domain/intent/similarity.js';
import type { FoundInsight, FoundInsights, InsightQuery } from '../../domain/ports.js';
import { countVotes, insightNameOfId } from '../../domain/votes.js';
import { inverseDocumentFrequency, lengthNorm, rarestTerms, termScore } from '../../domain/words.js';
import { noneIfMissing } from './milvus-calls.js';
import type { PreparedCollection } from './prepared-collection.js';
import { collectionName, insightsOf, type MilvusRecord, withIds } from './queries.js';
import { foundFields, foundOf, idFields, idOf, queryWords, vectorOf } from './row-codec.js';
import type { LookUpVotes } from './row-store.js';

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

/** An insight that shares words with a question. */
interface WordCandidate {
  id: string;
  /** Encoded, separated by spaces. */
  words: string;
}

/**
 * The candidates by BM25, best first, equal ones by id; those without any of the words are left out.
 *
 * Milvus weighs a word by how rare it is among everything that lies in the same Milvus collection, other accounts' texts
 * included, or in the same segment. So its scores only choose the candidates, and words are counted again among those,
 * which are all of one collection: where fewer insights share a word with the question than are chosen, these are all that
 * have the word, and what other collections hold changes nothing.
 */
export function rankByWords<Candidate extends WordCandidate>(question: string[], candidates: Candidate[]): Candidate[] {
  const asked = new Set(question);
  const documents = candidates.map((candidate) => countWords(candidate, asked));
  const norm = lengthNorm(
    documents.length,
    documents.reduce((sum, { length }) => sum + length, 0),
  );
  const terms = question.map((word) => {
    const documentFrequency = documents.filter(({ counts }) => counts.has(word)).length;
    return { word, documentFrequency, weight: inverseDocumentFrequency(documents.length, documentFrequency) };
  });
  const rarest = rarestTerms(terms.filter(({ documentFrequency }) => documentFrequency > 0));
  const score = ({ counts, length }: CountedWords<Candidate>) =>
    rarest.reduce((sum, { word, weight }) => {
      const count = counts.get(word);
      return count === undefined ? sum : sum + termScore(weight, count, length, norm.base, norm.perWord);
    }, 0);
  return documents
    .map((document) => ({ candidate: document.candidate, score: score(document) }))
    .filter((ranked) => ranked.score > 0)
    .sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
    .map(({ candidate }) => candidate);
}

interface CountedWords<Candidate> {
  candidate: Candidate;
  /** How often each word of the question occurs that does. */
  counts: Map<string, number>;
  /** In words. */
  length: number;
}

function countWords<Candidate extends WordCandidate>(
  candidate: Candidate,
  asked: Set<string>,
): CountedWords<Candidate> {
  const words = candidate.words.split(' ');
  const counts = new Map<string, number>();
  for (const word of words) {
    if (asked.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { candidate, counts, length: words.length };
}
