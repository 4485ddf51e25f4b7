import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';

import { createLogger, Registry } from '@whetstone/platform';

import type { CallTokens } from '../call-tokens.js';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../client/create-rpc-client.js';
import type { RpcHandlers, RpcServiceName } from '../rpc-services.js';
import { createRpcServer, type RpcServer, type RpcServerOptions } from '../server/create-rpc-server.js';
import { rpcService } from '../server/serve-call.js';
import { plainHandlers } from './messages.js';

/** Of one installation. Not secret. */
export const tokensOfTests: CallTokens = {
  issue: (method) => `token for ${method}`,
  verify: (method, token) => (token === `token for ${method}` ? undefined : { reason: 'invalid' }),
};

export interface RunningServer {
  port: number;
  target: string;
  server: RpcServer;
  registry: Registry;
  /** Its log, a record a line. */
  lines(): Record<string, unknown>[];
}

/** Servers and clients on loopback, ended after each test of the file that calls this. */
export function rpcSite() {
  const ends: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function serve<Name extends RpcServiceName>(
    name: Name,
    handlers: Partial<RpcHandlers<Name>> = {},
    options: Partial<RpcServerOptions> = {},
  ): Promise<RunningServer> {
    const registry = new Registry();
    const chunks: Buffer[] = [];
    const destination = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
    const all = { ...plainHandlers[name], ...handlers } as RpcHandlers<Name>;
    const server = createRpcServer({
      host: '127.0.0.1',
      port: 0,
      connectionAgeMs: 60_000,
      graceMs: 2000,
      tokensRequired: true,
      tokens: tokensOfTests,
      services: [rpcService(name, all)],
      isReady: () => true,
      logger: createLogger({ service: name, level: 'debug', pretty: false, destination }),
      registry,
      ...options,
    });
    const port = await server.start();
    ends.push(() => server.stop());
    const lines = () => {
      const text = Buffer.concat(chunks).toString('utf8');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
    };
    return { port, target: `ipv4:127.0.0.1:${port}`, server, registry, lines };
  }

  function clientOf<Name extends RpcServiceName>(
    name: Name,
    target: string,
    options: Partial<RpcClientOptions> = {},
  ): RpcClient<Name> {
    const client = createRpcClient(name, { target, tokens: tokensOfTests, registry: new Registry(), ...options });
    ends.push(() => client.close());
    return client;
  }

  /** Ends something else that a test has started. */
  function ending<Thing extends { close(): void | Promise<void> }>(thing: Thing): Thing {
    ends.push(() => thing.close());
    return thing;
  }

  return { serve, clientOf, ending };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
