import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { DatedVote } from '../../domain/votes.js';
import { collectionName, votesOn } from './expressions.js';
import { noneIfMissing } from './failure.js';
import type { PreparedCollection } from './prepared-collection.js';
import { datedVoteOf, voteFields } from './row-codec.js';

/** What Milvus hands out at most for one query. */
const mostVotes = 16_384;

interface VoteQuestion {
  collectionId: string;
  /** By their names. */
  insights: string[];
  limit?: number;
  consistency: 'Strong' | 'Bounded';
}

/** Votes by the insights that they are on: one request, answered from the index of that field. */
export function createVoteLookup(client: MilvusClient) {
  return async function lookUpVotes(shard: PreparedCollection, question: VoteQuestion): Promise<DatedVote[]> {
    const { collectionId, insights, limit = mostVotes, consistency } = question;
    if (insights.length === 0) return [];
    const request = {
      collection_name: shard.name,
      partition_names: [collectionName(collectionId)],
      filter: votesOn(collectionId, insights),
      output_fields: voteFields,
      limit: Math.min(limit, mostVotes),
      // By name: the SDK takes the number of Strong, 0, for none given.
      consistency_level: consistency as never,
    };
    const answer = shard.use((timeout) => client.query({ ...request, timeout })).then(({ data }) => data);
    return (await answer.catch(noneIfMissing)).map((record) => datedVoteOf(collectionId, record));
  };
}

export type LookUpVotes = ReturnType<typeof createVoteLookup>;
