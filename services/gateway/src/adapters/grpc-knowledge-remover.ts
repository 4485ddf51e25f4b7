import type { RpcClient } from '@whetstone/rpc';

import type { KnowledgeRemover } from '../domain/ports.js';

export function createGrpcKnowledgeRemover(client: RpcClient<'indexer'>): KnowledgeRemover {
  return { deleteByIntent: (request, call) => client.call('DeleteByIntent', request, call) };
}
