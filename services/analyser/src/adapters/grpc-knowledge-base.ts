import type { RpcClient } from '@whetstone/rpc';

import type { KnowledgeBase } from '../domain/ports.js';

export function createGrpcKnowledgeBase(client: RpcClient<'indexer'>): KnowledgeBase {
  return {
    search: (request, call) => client.call('Search', request, call),
    getRuns: (request, call) => client.call('GetRuns', request, call),
    replace: (request, call) => client.call('Replace', request, call),
  };
}
