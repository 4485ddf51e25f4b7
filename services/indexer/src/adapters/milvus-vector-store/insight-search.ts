import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { foldDecisions, settingsJob } from '../../domain/decisions.js';
import { cosine } from '../../domain/intent/similarity.js';
import type { FoundInsight, FoundInsights, InsightQuery } from '../../domain/ports.js';
import { countVotes } from '../../domain/votes.js';
import { inverseDocumentFrequency, lengthNorm, rarestTerms, termScore } from '../../domain/words.js';
import { emptyIfMissing } from './milvus-calls.js';
import type { PreparedCollection } from './prepared-collection.js';
import { collectionName, insightsOf, type MilvusRecord, withIds } from './queries.js';
import {
  decisionsAbout,
  foundFields,
  foundOf,
  idFields,
  idOf,
  namesInVotes,
  queryWords,
  vectorOf,
} from './row-codec.js';
import { lookUpVotes } from './row-store.js';

/** Milvus's limit for one search. */
const maxHits = 16_384;
/** Minimum number of candidates ranked by words, enough to contain the best. */
const minCandidates = 60;
const candidatesPerHit = 2;
const maxQueryWords = 256;

/** What HNSW (`ef`, at least the limit) and IVF (`nprobe`) look at; an exact index takes no notice of it. */
function effortFor(limit: number) {
  return { ef: Math.max(400, 2 * limit), nprobe: 128 };
}

/**
 * Searches a collection by meaning and by words in two parallel requests, then fetches the insights found only by words
 * and the votes.
 */
export function createInsightSearch(client: MilvusClient, consistency: 'bounded' | 'strong') {
  // By name: the SDK treats the numeric value of Strong, 0, as unset.
  const level: 'Strong' | 'Bounded' = consistency === 'strong' ? 'Strong' : 'Bounded';
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
        limit: Math.min(limit, maxHits),
        params: effortFor(Math.min(limit, maxHits)),
        output_fields: foundFields,
        timeout,
      }),
    );
    const hits = results as (MilvusRecord & { score: number })[];
    return hits.map((hit) => ({
      insight: foundOf(collectionId, hit, withinOne(hit.score)),
      votedAs: namesInVotes(hit),
      lessons: decisionsAbout(hit),
    }));
  }

  async function sharingWords(shard: PreparedCollection, collectionId: string, words: string[], limit: number) {
    if (words.length === 0) return [];
    const { results } = await shard.use((timeout) =>
      client.search({
        ...about(shard, collectionId),
        data: words.join(' '),
        anns_field: 'bm25',
        metric_type: 'BM25',
        limit: Math.min(Math.max(minCandidates, candidatesPerHit * limit), maxHits),
        output_fields: [...idFields, 'about', 'words'],
        timeout,
      }),
    );
    const hits = results as MilvusRecord[];
    return hits.map((hit) => ({
      id: idOf(collectionId, hit),
      words: String(hit['words']),
      votedAs: namesInVotes(hit),
      lessons: decisionsAbout(hit),
    }));
  }

  /** Insights by id with their similarity to a vector; skips deleted ones. */
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
    const words = queryWords(query.text, maxQueryWords);
    const [nearest, sharing] = await Promise.all([
      byMeaning(shard, collectionId, query).catch(emptyIfMissing),
      sharingWords(shard, collectionId, words, query.limit).catch(emptyIfMissing),
    ]);
    const near = nearest.map(({ insight }) => insight).sort(bestFirst);
    const ranked = rankByWords(words, sharing).slice(0, query.limit);
    const found = new Map(near.map((insight) => [insight.id, insight]));
    const others = ranked.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    const names = new Set([...nearest, ...ranked].flatMap(({ votedAs }) => votedAs));
    const lessons = new Set([...nearest, ...ranked].flatMap((hit) => hit.lessons));
    const asked = {
      collectionId,
      insights: [...names],
      // Nothing is asked if nothing was found.
      lessons: names.size > 0 ? [...lessons, settingsJob] : [],
      consistency: level,
    };
    const [further, { votes, decisions }] = await Promise.all([
      withSimilarity(shard, collectionId, others, await query.vector),
      lookUpVotes(client, shard, asked),
    ]);
    for (const insight of further) found.set(insight.id, insight);
    return {
      byMeaning: near,
      byWords: ranked.flatMap(({ id }) => found.get(id) ?? []),
      votes: countVotes(votes),
      ...foldDecisions(decisions),
    };
  };
}

/** Equal vectors can differ in the last digit between segments: rounding makes them tie. */
function bestFirst(a: FoundInsight, b: FoundInsight): number {
  return rounded(b.similarity) - rounded(a.similarity) || (a.id < b.id ? -1 : 1);
}

function rounded(similarity: number): number {
  return Math.round(similarity * 1e6);
}

function withinOne(score: number): number {
  return Math.max(-1, Math.min(1, score));
}

interface WordCandidate {
  id: string;
  /** Encoded, separated by spaces. */
  words: string;
}

/**
 * Ranks candidates by BM25, ties by id; drops those without any of the words.
 *
 * Milvus's word statistics cover everything in the Milvus collection or segment, other accounts included. Its scores
 * therefore only select candidates; their words are counted again among the candidates, which belong to one collection.
 * If fewer insights share a word than are selected, these are all that contain it, and other collections have no
 * influence.
 */
export function rankByWords<Candidate extends WordCandidate>(query: string[], candidates: Candidate[]): Candidate[] {
  const queryWordSet = new Set(query);
  const documents = candidates.map((candidate) => countWords(candidate, queryWordSet));
  const norm = lengthNorm(
    documents.length,
    documents.reduce((sum, { length }) => sum + length, 0),
  );
  const terms = query.map((word) => {
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
  /** Occurrences of each query word in the candidate. */
  counts: Map<string, number>;
  /** In words. */
  length: number;
}

function countWords<Candidate extends WordCandidate>(
  candidate: Candidate,
  queryWordSet: Set<string>,
): CountedWords<Candidate> {
  const words = candidate.words.split(' ');
  const counts = new Map<string, number>();
  for (const word of words) {
    if (queryWordSet.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { candidate, counts, length: words.length };
}
