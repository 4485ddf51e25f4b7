import { type ChannelOptions, type MethodDefinition, Server, setLogger } from '@grpc/grpc-js';
import { type ListenOptions, type Logger, listenError, type Registry, settleWithin, sleep } from '@whetstone/platform';

import type { CallTokens } from '../call-tokens.js';
import { keepalive, maxMessageBytes, type Pings } from '../channel-options.js';
import { observeCalls } from '../rpc-metrics.js';
import { namesOf } from '../rpc-services.js';
import { type RpcTls, serverCredentials } from '../tls.js';
import { acknowledgeCalls } from './acknowledge-calls.js';
import { guardCalls } from './guard-calls.js';
import { createOpenCalls } from './open-calls.js';
import { type RpcService, serveCall } from './serve-call.js';
import { addReflection, createHealth } from './standard-services.js';

export interface RpcServerConfig {
  host: string;
  /** 0 picks a free port. */
  port: number;
  tls?: RpcTls | undefined;
  /** False accepts calls without a token, as versions before tokens make them. */
  tokensRequired: boolean;
  /** About this old, a connection is closed between calls, so that callers resolve the address again. */
  connectionAgeMs: number;
  /** How long calls in flight may go on when the server stops. */
  graceMs: number;
  pings?: Pings;
}

export interface RpcServerOptions extends RpcServerConfig {
  services: RpcService[];
  tokens: CallTokens;
  /** Reported by the health service. */
  isReady(): boolean;
  logger: Logger;
  registry: Registry;
}

export interface RpcServer {
  /** Resolves with the port once it accepts calls. */
  start(): Promise<number>;
  /**
   * Stops accepting calls at a moment when no unrepeatable call is in flight, or after half of the grace.
   * Finishes calls in flight or aborts them after the grace. Idempotent.
   */
  stop(): Promise<void>;
}

/** Time for the last answers to reach their callers, and for calls to begin whose first bytes came before the stop. */
const lastWordsMs = 100;

/** Unrepeatable calls have deadlines; connections are not kept open for stuck ones. */
const longestCallMs = 60_000;
const stuckMs = 10 * longestCallMs;

export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { services, logger, registry, graceMs, isReady } = options;
  const openCalls = createOpenCalls();
  const methods = services.flatMap((service) => service.methods);
  const called = methods.map(({ method }) => method);
  const interceptors = [guardCalls(options), acknowledgeCalls(called, openCalls)];
  const server = new Server({ ...serverOptions(options), interceptors });
  const deps = { logger, openCalls, observe: observeCalls(registry, 'server', called) };
  const health = createHealth([...new Set(called.map((method) => namesOf(method).service))], isReady);
  const credentials = serverCredentials(options.tls);
  let stopping: Promise<void> | undefined;
  let stopRenewing = () => {};

  setLogger(quietly(logger));
  for (const { method, handler } of methods) {
    const definition = { [method.path]: { ...method, ...asItIs } };
    server.addService(definition, { [method.path]: serveCall(method, handler, deps) });
  }
  health.addTo(server);
  addReflection(server, services);

  /**
   * When a ping is due on a connection that is closing, either side takes it for broken, and its calls
   * are lost. So connections are closed between unrepeatable calls, as far as possible.
   */
  const betweenCalls = (withinMs: number) => openCalls.repeatableOnly(withinMs);

  async function stop(): Promise<void> {
    const graceEnds = sleep(graceMs, { ref: false });
    stopRenewing();
    health.stop();
    await betweenCalls(graceMs / 2);
    const closed = new Promise((resolve) => server.tryShutdown(resolve));
    // A health watcher keeps a call open for ever; do not wait for it.
    await Promise.race([closed, openCalls.quiet(lastWordsMs), graceEnds]);
    openCalls.abort();
    await settleWithin(Promise.race([closed, openCalls.quiet(lastWordsMs)]), lastWordsMs * 10);
    server.forceShutdown();
  }

  return {
    async start() {
      const port = await bind(server, options, credentials);
      if (!options.tokensRequired) logger.warn('Accepting calls without a token (WHETSTONE_GRPC_TOKENS=optional)');
      health.watch();
      const end = () => server.drain(addressOf({ ...options, port }), stuckMs);
      stopRenewing = renewConnections({
        ageMs: options.connectionAgeMs,
        moment: () => betweenCalls(longestCallMs),
        end,
      });
      return port;
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** `serveCall` decodes and encodes messages. */
const asItIs: Pick<
  MethodDefinition<Buffer, Buffer>,
  'requestSerialize' | 'requestDeserialize' | 'responseSerialize' | 'responseDeserialize'
> = {
  requestSerialize: (bytes) => bytes,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: (bytes) => bytes,
  responseDeserialize: (bytes) => bytes,
};

function addressOf({ host, port }: Pick<RpcServerConfig, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function bind(server: Server, { host, port }: RpcServerConfig, credentials: ReturnType<typeof serverCredentials>) {
  const options: ListenOptions = {
    host,
    port,
    variables: { host: 'WHETSTONE_GRPC_HOST', port: 'WHETSTONE_GRPC_PORT' },
  };
  return new Promise<number>((resolve, reject) => {
    server.bindAsync(addressOf(options), credentials, (error, bound) => {
      if (!error) return resolve(bound);
      const code = /\bE[A-Z]{4,}\b/.exec(error.message)?.[0];
      reject(listenError(options, Object.assign(error, code === undefined ? {} : { code })));
    });
  });
}

function serverOptions({ pings }: RpcServerConfig): ChannelOptions {
  return {
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_receive_message_length': maxMessageBytes,
    ...keepalive(pings),
  };
}

/** Sends grpc-js' own output to our logger. */
function quietly(logger: Logger): Partial<Console> {
  const log = (level: 'debug' | 'warn') => (message: unknown) => logger[level]({ from: 'grpc' }, String(message));
  return { error: log('warn'), info: log('debug'), debug: log('debug') };
}

interface RenewConnectionsOptions {
  /** Approximate age limit of a connection. */
  ageMs: number;
  /** Resolves at a good moment to close. */
  moment(): Promise<void>;
  /** Closes all connections; callers open new ones. */
  end(): void;
}

/** Closes the connections to this server periodically. Returns a function that stops it. */
function renewConnections({ ageMs, moment, end }: RenewConnectionsOptions): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;

  function plan(): void {
    // Jitter, so that not all replicas do it at once.
    timer = setTimeout(() => void renew(), ageMs * (0.9 + 0.2 * Math.random())).unref();
  }

  async function renew(): Promise<void> {
    await moment();
    if (stopped) return;
    end();
    plan();
  }

  plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
