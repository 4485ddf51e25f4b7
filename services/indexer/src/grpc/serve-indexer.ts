import { type RpcService, rpcService } from '@whetstone/rpc';

import type { IndexerService } from '../create-indexer.js';

export function serveIndexer({ search, replace, deleteByIntent }: IndexerService['api']): RpcService {
  return rpcService('indexer', { Search: search, Replace: replace, DeleteByIntent: deleteByIntent });
}
