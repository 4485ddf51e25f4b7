import type { Logger } from '@whetstone/platform';
import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs';

import { bridgeKafkaLogs } from './bridge-kafka-logs.js';
import type { KafkaConfig } from './kafka-config.js';
import { type CompleteRetry, connectRetry } from './retry-options.js';
import { SocketRegistry } from './socket-registry.js';
import { useFastGzip } from './use-fast-gzip.js';

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
