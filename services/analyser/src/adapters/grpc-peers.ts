import { type SearchHit, typedInsight } from '@whetstone/contracts';
import type { RpcClient } from '@whetstone/rpc';

import type { JobLookup, KnowledgeBase } from '../domain/ports.js';

export function createGrpcKnowledgeBase(client: RpcClient<'indexer'>): KnowledgeBase {
  return {
    async search(request, call) {
      const { hits, verdicts, settings } = await client.call('Search', request, call);
      // During an upgrade an older indexer may answer, which knows no settings.
      return { hits: hits.map(typedHit), verdicts: verdicts ?? [], settings: settings ?? {} };
    },
    getRuns: (request, call) => client.call('GetRuns', request, call),
    replace: (request, call) => client.call('Replace', request, call),
  };
}

/** Nor do its insights have a type. */
function typedHit(hit: SearchHit): SearchHit {
  return { ...hit, insight: typedInsight(hit.insight) };
}

export function createGrpcJobLookup(client: RpcClient<'status'>): JobLookup {
  return { getJob: (request, call) => client.call('GetJob', request, call) };
}
