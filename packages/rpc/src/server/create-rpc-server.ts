import { type ChannelOptions, type MethodDefinition, Server, setLogger } from '@grpc/grpc-js';
import { type ListenOptions, type Logger, listenError, type Registry, settleWithin, sleep } from '@whetstone/platform';

import { keepalive, maxMessageBytes } from '../channel-options.js';
import { observeCalls } from '../rpc-metrics.js';
import { namesOf } from '../rpc-services.js';
import { type RpcTls, serverCredentials } from '../tls.js';
import { createOpenCalls } from './open-calls.js';
import { type RpcService, serveCall } from './serve-call.js';
import { addReflection, createHealth } from './standard-services.js';

export interface RpcServerConfig {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls?: RpcTls | undefined;
  /** After about this long a connection is ended, between calls, so that callers look again who is there. */
  connectionAgeMs: number;
  /** How long calls in flight may go on when the server stops. */
  graceMs: number;
  /** How often a silent connection is asked for a sign of life. */
  pingEveryMs?: number;
}

export interface RpcServerOptions extends RpcServerConfig {
  services: RpcService[];
  /** What the health service tells. */
  isReady(): boolean;
  logger: Logger;
  registry: Registry;
}

export interface RpcServer {
  /** Resolves with the port once calls are taken. */
  start(): Promise<number>;
  /**
   * Takes no more calls from the moment when none is in flight that its caller may not repeat, which has half of the grace to come.
   * Finishes those in flight or gives them up after the grace. Safe to call twice.
   */
  stop(): Promise<void>;
}

/** For the last answers to reach their callers, and for calls whose first bytes came before the stop to become calls. */
const lastWordsMs = 100;

/** Calls whose callers may not repeat them have deadlines; connections are not kept for those that are stuck. */
const longestCallMs = 60_000;
const stuckMs = 10 * longestCallMs;

export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { services, logger, registry, graceMs, isReady } = options;
  const server = new Server(serverOptions(options));
  const openCalls = createOpenCalls();
  const methods = services.flatMap((service) => service.methods);
  const called = methods.map(({ method }) => method);
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
   * Once a ping is due on a connection that was told to end, the library takes it for broken, on either side, and its calls
   * are lost. So connections are told between the calls that nobody may repeat, as far as possible.
   */
  const betweenCalls = (withinMs: number) => openCalls.repeatableOnly(withinMs);

  async function stop(): Promise<void> {
    const graceEnds = sleep(graceMs, { ref: false });
    stopRenewing();
    health.stop();
    await betweenCalls(graceMs / 2);
    const closed = new Promise((resolve) => server.tryShutdown(resolve));
    // Who watches the health of this server keeps a call open for ever: that alone is nothing to wait for.
    await Promise.race([closed, openCalls.quiet(lastWordsMs), graceEnds]);
    openCalls.abort();
    await settleWithin(Promise.race([closed, openCalls.quiet(lastWordsMs)]), lastWordsMs * 10);
    server.forceShutdown();
  }

  return {
    async start() {
      const port = await bind(server, options, credentials);
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

/** Messages are read and written where calls are served. */
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

function serverOptions({ pingEveryMs }: RpcServerConfig): ChannelOptions {
  return {
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_receive_message_length': maxMessageBytes,
    ...keepalive(pingEveryMs),
  };
}

/** What the library would print on its own goes where everything goes. */
function quietly(logger: Logger): Partial<Console> {
  const log = (level: 'debug' | 'warn') => (message: unknown) => logger[level]({ from: 'grpc' }, String(message));
  return { error: log('warn'), info: log('debug'), debug: log('debug') };
}

interface RenewConnectionsOptions {
  /** About how old a connection may become. */
  ageMs: number;
  /** Resolves at a good moment for it. */
  moment(): Promise<void>;
  /** Tells all callers to make their next calls on new connections. */
  end(): void;
}

/** Ends the connections to this server again and again. Returns how to end that. */
function renewConnections({ ageMs, moment, end }: RenewConnectionsOptions): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;

  function plan(): void {
    // Some sooner, some later, so that not all replicas do it at once.
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
