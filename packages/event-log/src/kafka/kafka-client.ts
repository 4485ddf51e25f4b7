import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import type { Logger } from '@whetstone/platform';
import kafkajs, { type ISocketFactory, type Kafka, type LogEntry, type RetryOptions, type SASLOptions } from 'kafkajs';

import type { KafkaConfig } from './kafka-config.js';

export interface KafkaClientOptions {
  config: KafkaConfig;
  /** Client id in broker logs and quotas. */
  clientId: string;
  logger: Logger;
}

export interface KafkaClient {
  kafka: Kafka;
  /** Destroys the remaining connections. Call it after disconnecting. */
  destroy(): void;
}

/**
 * One client per producer, consumer or admin: kafkajs shares group offsets within a client.
 * `retry` covers connecting, which the retries of a producer or consumer do not.
 */
export function createKafkaClient(
  { config, clientId, logger }: KafkaClientOptions,
  retry: CompleteRetry = connectRetry(config.brokers.length),
): KafkaClient {
  const { brokers, tls, sasl } = config;
  const sockets = new SocketRegistry();
  useFastGzip();
  const kafka = new kafkajs.Kafka({
    clientId,
    brokers: brokers.map(withoutColons),
    ...(tls && { ssl: { ...tls, rejectUnauthorized: true } }),
    ...(sasl && { sasl: sasl as SASLOptions }),
    connectionTimeout: 3000,
    authenticationTimeout: 5000,
    reauthenticationThreshold: 10_000,
    requestTimeout: 5000,
    enforceRequestTimeout: true,
    retry,
    socketFactory: sockets.create,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: bridgeKafkaLogs(logger),
  });
  return { kafka, destroy: () => sockets.destroy() };
}

/** kafkajs takes everything before the first colon for the host, so an IPv6 address has underscores instead, in brackets. */
function withoutColons(broker: string): string {
  return broker.replace(/^\[.+\]/, (address) => address.replaceAll(':', '_'));
}

/** What `withoutColons` was given. Brokers that Kafka itself names are not in brackets. */
function hostOf(host: string): string {
  return /^\[.+\]$/.test(host) ? host.slice(1, -1).replaceAll('_', ':') : host;
}

/**
 * Every field is set: kafkajs has other defaults when NODE_ENV is `test`, and a consumer's defaults override
 * the client's.
 */
type CompleteRetry = Required<Omit<RetryOptions, 'restartOnFailure'>>;

/** Retries of connecting. */
export function connectRetry(brokers: number): CompleteRetry {
  // Each try takes the next broker of the list.
  return { retries: Math.max(2, brokers), initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 };
}

export const noRetry: CompleteRetry = { ...connectRetry(1), retries: 0 };

/** About a minute, so that a consumer survives the restart of the only broker. */
export const consumerRetry: CompleteRetry = {
  retries: 60,
  initialRetryTime: 200,
  maxRetryTime: 1000,
  factor: 0.2,
  multiplier: 1.5,
};

const keepAliveMs = 60_000;

/**
 * Opens the connections of one client and can destroy them all. After an outage kafkajs loses track of some, and a stopped
 * consumer goes on trying: without this it could rejoin its group.
 */
class SocketRegistry {
  readonly #sockets = new Set<Socket>();
  #destroyed = false;

  readonly create: ISocketFactory = ({ host: given, port, ssl, onConnect }) => {
    if (this.#destroyed) throw new Error('The client is closed');
    const host = hostOf(given);
    const server = { host, port, ...(isIP(host) ? {} : { servername: host }) };
    const socket = ssl ? connectTls({ ...server, ...ssl }, onConnect) : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    // A request is one write: Nagle's algorithm would only delay it.
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Destroys every connection and opens no more. */
  destroy(): void {
    this.#destroyed = true;
    for (const socket of this.#sockets) socket.destroy(new Error('The client is closed'));
  }
}

/** Below this, zlib takes less time than a trip through the thread pool. */
const smallBytes = 16 * 1024;
/** The fastest level: appends wait for it. */
const compression = { level: 1 };
const gzipAsync = promisify<Uint8Array, typeof compression, Buffer>(gzip);
const gunzipAsync = promisify<Uint8Array, Buffer>(gunzip);

/** Replaces the gzip codec of kafkajs, for the whole process, by a faster one. */
function useFastGzip(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP] = () => ({
    compress: async ({ buffer }: { buffer: Buffer }) =>
      buffer.length <= smallBytes ? gzipSync(buffer, compression) : gzipAsync(buffer, compression),
    decompress: async (buffer: Buffer) => (buffer.length <= smallBytes / 4 ? gunzipSync(buffer) : gunzipAsync(buffer)),
  });
}

/**
 * Sends kafkajs' own log to debug: it reports errors that it then recovers from by itself, such as a broker restart. What
 * matters to operators is logged by this adapter.
 */
function bridgeKafkaLogs(logger: Logger): () => (entry: LogEntry) => void {
  return () =>
    ({ namespace, log }) => {
      const { message, error, broker, groupId } = log;
      logger.debug({ part: `kafkajs ${namespace}`, error: textOf(error), broker, groupId }, message);
    };
}

function textOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}
