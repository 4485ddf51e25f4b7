import type { RpcClient } from '@whetstone/rpc';
import type { ActivityReader, Enhancer, JobLookup, KnowledgeRemover, LessonKeeper } from '../domain/ports.js';

export function createGrpcEnhancer(client: RpcClient<'analyser'>): Enhancer {
  return { enhance: (request, call) => client.call('Enhance', request, call) };
}

export function createGrpcIndexer(client: RpcClient<'indexer'>): KnowledgeRemover & LessonKeeper {
  return {
    deleteByIntent: (request, call) => client.call('DeleteByIntent', request, call),
    findDeletedRuns: (request, call) => client.call('FindDeletedRuns', request, call),
    describeCollections: (request, call) => client.call('DescribeCollections', request, call),
    eraseCollection: (request, call) => client.call('EraseCollection', request, call),
    listLessons: (request, call) => client.call('ListLessons', request, call),
    getLesson: (request, call) => client.call('GetLesson', request, call),
    decideLesson: (request, call) => client.call('DecideLesson', request, call),
    deleteLesson: (request, call) => client.call('DeleteLesson', request, call),
    writeLesson: (request, call) => client.call('WriteLesson', request, call),
    giveFeedback: (request, call) => client.call('GiveFeedback', request, call),
    getOutcomes: (request, call) => client.call('GetOutcomes', request, call),
    changeSettings: (request, call) => client.call('ChangeSettings', request, call),
  };
}

export function createGrpcStatus(client: RpcClient<'status'>): JobLookup & ActivityReader {
  return {
    getJob: (request, call) => client.call('GetJob', request, call),
    listAudit: (request, call) => client.call('ListAudit', request, call),
    getUsage: (request, call) => client.call('GetUsage', request, call),
    listRuns: (request, call) => client.call('ListRuns', request, call),
    countRuns: (request, call) => client.call('CountRuns', request, call),
  };
}
