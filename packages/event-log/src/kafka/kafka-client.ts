import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import type { Logger } from '@whetstone/platform';
import kafkajs, { type ISocketFactory, type Kafka, type LogEntry, type RetryOptions, type SASLOptions } from 'kafkajs';

import type { KafkaConfig } from './kafka-config.js';

export interface KafkaClientOptions {
  config: KafkaConfig;
  /** What the brokers call us in their logs and quotas. */
  clientId: string;
  logger: Logger;
}

export interface KafkaClient {
  kafka: Kafka;
  /** After whatever was made of it has been disconnected, or has not let itself be: nothing of it is left. */
  destroy(): void;
}

/**
 * One client for one producer, one consumer or one admin: kafkajs shares the offsets of groups between those of a client.
 * `retry` is for connecting, which the retries of a producer or a consumer do not cover.
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
    brokers,
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

/**
 * Every field is always given: kafkajs has other defaults when NODE_ENV is `test`, and a consumer's own defaults win over
 * the client's.
 */
type CompleteRetry = Required<Omit<RetryOptions, 'restartOnFailure'>>;

/** Attempts to connect, before whoever asked is told. */
export function connectRetry(brokers: number): CompleteRetry {
  // Each try takes the next broker of the list.
  return { retries: Math.max(2, brokers), initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 };
}

export const noRetry: CompleteRetry = { ...connectRetry(1), retries: 0 };

/** A consumer keeps its membership through the restart of a broker, also of the only one: about a minute. */
export const consumerRetry: CompleteRetry = {
  retries: 60,
  initialRetryTime: 200,
  maxRetryTime: 1000,
  factor: 0.2,
  multiplier: 1.5,
};

const keepAliveMs = 60_000;

/**
 * Makes the connections of one client and can end them all. After a broker was away kafkajs loses sight of some, and a
 * consumer that is stopped meanwhile goes on trying: without this it could come back as a member of its group.
 */
class SocketRegistry {
  readonly #sockets = new Set<Socket>();
  #destroyed = false;

  readonly create: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.#destroyed) throw new Error('The client is closed');
    const server = { host, port, ...(isIP(host) ? {} : { servername: host }) };
    const socket = ssl ? connectTls({ ...server, ...ssl }, onConnect) : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    // A request is one write: waiting for more would only delay it.
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Ends every connection and makes no further ones. */
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

/** Batches are packed and unpacked as fast as zlib can. The codecs of kafkajs are one table for the whole process. */
function useFastGzip(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP] = () => ({
    compress: async ({ buffer }: { buffer: Buffer }) =>
      buffer.length <= smallBytes ? gzipSync(buffer, compression) : gzipAsync(buffer, compression),
    decompress: async (buffer: Buffer) => (buffer.length <= smallBytes / 4 ? gunzipSync(buffer) : gunzipAsync(buffer)),
  });
}

/**
 * What kafkajs says, for those who look for it: it reports as errors what it then mends by itself, a broker that restarts
 * for one. What matters to operators is told by the adapter, in its own words.
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
