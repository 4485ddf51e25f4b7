import { maxEventBytes } from '@whetstone/contracts';
import { AppError, type Clock, createSystemClock, type Logger, type Registry } from '@whetstone/platform';

import { appendTimer } from '../metrics.js';
import { partitionOf } from '../partition-of.js';
import type { EventLog, NewEvent } from '../ports.js';
import { AppendQueue } from './appending/append-queue.js';
import { KafkaSender } from './appending/kafka-sender.js';
import { ClusterQueries, TopicDirectory } from './cluster-queries.js';
import { KafkaConsumption } from './consuming/kafka-consumption.js';
import { TopicFollower } from './following/topic-follower.js';
import { defaultSessionTimeoutMs, type KafkaConfig } from './kafka-config.js';
import { isRefused } from './kafka-errors.js';
import { barrierBytes, createBarrier, toMessage } from './records.js';
import { watchHealth } from './watch-health.js';

export interface KafkaEventLogOptions {
  config: KafkaConfig;
  /** Client id in broker logs and quotas; prefix of the groups of its views. */
  clientId: string;
  logger: Logger;
  registry?: Registry;
  clock?: Clock;
  /** Timeout of an append; well below the timeout of its callers. */
  appendTimeoutMs?: number;
  /** Timeout of a question to the brokers. */
  queryTimeoutMs?: number;
}

/**
 * The durable log in Kafka. Opens even while the brokers are away: then appends are rejected, and readers wait for
 * them. Rejects with AppError `invalid_argument` if they refuse access.
 */
export async function openKafkaEventLog({
  config,
  clientId,
  logger,
  registry,
  clock = createSystemClock(),
  appendTimeoutMs = 6000,
  queryTimeoutMs = 3000,
}: KafkaEventLogOptions): Promise<EventLog> {
  const client = { config, clientId, logger };
  const { sessionTimeoutMs = defaultSessionTimeoutMs } = config;
  const nowMs = () => Math.floor(clock.now() / 1000);
  const observeAppend = appendTimer(registry);
  const health = watchHealth({ ping: () => queries.ping(), logger });
  const queries = new ClusterQueries(client, queryTimeoutMs, health.note);
  const directory = new TopicDirectory((topic) => queries.partitionsOf(topic));
  const sender = new KafkaSender(client);
  const queue = new AppendQueue({
    send: (batches) => health.noting(sender.send(batches)),
    timeoutMs: appendTimeoutMs,
  });
  const readers = new Set<{ stop(): Promise<void> }>();
  let closing: Promise<void> | undefined;

  function throwIfClosed(): void {
    if (closing !== undefined) throw new AppError('log_unavailable', 'The log is closed', { retryable: true });
  }

  async function append(topic: string, event: NewEvent): Promise<void> {
    throwIfClosed();
    const { message, bytes } = toMessage(event, nowMs());
    if (bytes > maxEventBytes) {
      throw new AppError('too_large', `Log events are limited to ${maxEventBytes} bytes`);
    }
    await observeAppend(async () => {
      const partitions = await directory.partitionsOf(topic);
      await queue.append(topic, partitionOf(event.partitionKey ?? event.key, partitions), message, bytes);
    });
  }

  async function close(): Promise<void> {
    health.stop();
    await Promise.all([queue.drain(), ...[...readers].map((reader) => reader.stop())]);
    await Promise.all([sender.close(), queries.close()]);
  }

  function keep<Reader extends { stop(): Promise<void> }>(reader: Reader): Reader {
    readers.add(reader);
    return reader;
  }

  const onStopped = (reader: { stop(): Promise<void> }) => readers.delete(reader);
  try {
    await queries.ping();
  } catch (error) {
    if (isRefused(error)) {
      await Promise.all([sender.close(), queries.close()]);
      throw new AppError(
        'invalid_argument',
        `Kafka refused access: check credentials and listener. ${(error as Error).message}`,
        { cause: error },
      );
    }
    logger.warn({ err: error, brokers: config.brokers }, 'Kafka is unreachable; starting without it and retrying');
  }
  health.start();

  return {
    append,
    async consume(handlers) {
      throwIfClosed();
      return keep(new KafkaConsumption({ client, queries, nowMs, sessionTimeoutMs, handlers, onStopped }));
    },
    async follow(handlers) {
      throwIfClosed();
      const { topic } = handlers;
      const appendBarrier = (partition: number) => queue.append(topic, partition, createBarrier(nowMs()), barrierBytes);
      return keep(new TopicFollower({ client, queries, handlers, appendBarrier, onStopped }));
    },
    healthy: () => closing === undefined && health.healthy,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
