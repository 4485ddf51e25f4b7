import type { RpcClient } from '@whetstone/rpc';
import type { Enhancer, JobLookup, KnowledgeRemover, LessonKeeper } from '../domain/ports.js';

export function createGrpcEnhancer(client: RpcClient<'analyser'>): Enhancer {
  return { enhance: (request, call) => client.call('Enhance', request, call) };
}

export function createGrpcIndexer(client: RpcClient<'indexer'>): KnowledgeRemover & LessonKeeper {
  return {
    deleteByIntent: (request, call) => client.call('DeleteByIntent', request, call),
    eraseCollection: (request, call) => client.call('EraseCollection', request, call),
    listLessons: (request, call) => client.call('ListLessons', request, call),
    getLesson: (request, call) => client.call('GetLesson', request, call),
    decideLesson: (request, call) => client.call('DecideLesson', request, call),
    deleteLesson: (request, call) => client.call('DeleteLesson', request, call),
    writeLesson: (request, call) => client.call('WriteLesson', request, call),
    giveFeedback: (request, call) => client.call('GiveFeedback', request, call),
    changeSettings: (request, call) => client.call('ChangeSettings', request, call),
  };
}

export function createGrpcJobLookup(client: RpcClient<'status'>): JobLookup {
  return { getJob: (request, call) => client.call('GetJob', request, call) };
}
