import { type RpcService, rpcService } from '@whetstone/rpc';

import type { Analyser } from '../create-analyser.js';

export function serveAnalyser({ enhance }: Analyser['api']): RpcService {
  return rpcService('analyser', { Enhance: enhance });
}
