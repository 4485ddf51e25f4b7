import { type RpcService, rpcService } from '@whetstone/rpc';

import type { IndexerService } from '../create-indexer.js';

export function serveIndexer({ search, getRuns, replace, deleteByIntent }: IndexerService['api']): RpcService {
  return rpcService('indexer', {
    Search: search,
    GetRuns: getRuns,
    Replace: replace,
    DeleteByIntent: deleteByIntent,
  });
}
