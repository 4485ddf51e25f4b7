import { type RpcService, rpcService } from '@whetstone/rpc';

import type { StatusService } from '../create-status.js';

export function serveStatus({ getJob }: StatusService['api']): RpcService {
  return rpcService('status', { GetJob: getJob });
}
