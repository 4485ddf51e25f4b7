import type { CallContext } from '@whetstone/platform';

import { type AnyMethod, methodsOf, type RpcHandlers, type RpcServiceName } from '../rpc-services.js';

export type AnyHandler = (request: unknown, call: CallContext) => Promise<unknown>;

/** A service as a server takes it: each method with what answers it. */
export interface RpcService {
  name: RpcServiceName;
  methods: { method: AnyMethod; handler: AnyHandler }[];
}

export function rpcService<Name extends RpcServiceName>(name: Name, handlers: RpcHandlers<Name>): RpcService {
  const byName = handlers as unknown as Record<string, AnyHandler>;
  const methods = [...methodsOf(name)].map(([methodName, method]) => ({
    method,
    handler: byName[methodName] as AnyHandler,
  }));
  return { name, methods };
}
