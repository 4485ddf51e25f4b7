import type { RpcClient } from '@whetstone/rpc';
import type { Enhancer, JobLookup, KnowledgeRemover } from '../domain/ports.js';

export function createGrpcEnhancer(client: RpcClient<'analyser'>): Enhancer {
  return { enhance: (request, call) => client.call('Enhance', request, call) };
}

export function createGrpcKnowledgeRemover(client: RpcClient<'indexer'>): KnowledgeRemover {
  return {
    deleteByIntent: (request, call) => client.call('DeleteByIntent', request, call),
    eraseCollection: (request, call) => client.call('EraseCollection', request, call),
  };
}

export function createGrpcJobLookup(client: RpcClient<'status'>): JobLookup {
  return { getJob: (request, call) => client.call('GetJob', request, call) };
}
