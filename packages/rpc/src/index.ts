export type { CallTokens } from './call-tokens.js';
export { connectTo, createRpcClient, type RpcClient, type RpcClientOptions } from './client/create-rpc-client.js';
export {
  peerConfigSchemas,
  rpcServerConfigOf,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
} from './rpc-config.js';
export type { RpcHandlers, RpcServiceName } from './rpc-services.js';
export {
  createRpcServer,
  type RpcServer,
  type RpcServerConfig,
  type RpcServerOptions,
} from './server/create-rpc-server.js';
export { type RpcService, rpcService } from './server/serve-call.js';
export type { RpcTls } from './tls.js';
