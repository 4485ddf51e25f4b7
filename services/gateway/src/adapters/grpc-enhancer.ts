import type { RpcClient } from '@whetstone/rpc';

import type { Enhancer } from '../domain/ports.js';

export function createGrpcEnhancer(client: RpcClient<'analyser'>): Enhancer {
  return { enhance: (request, call) => client.call('Enhance', request, call) };
}
