import type { RpcClient } from '@whetstone/rpc';

import type { JobLookup } from '../domain/ports.js';

export function createGrpcJobLookup(client: RpcClient<'status'>): JobLookup {
  return { getJob: (request, call) => client.call('GetJob', request, call) };
}
