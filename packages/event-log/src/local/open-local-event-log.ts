import { type Micros, maxEventBytes, type TopicSpec } from '@whetstone/contracts';
import { AppError, type Clock, createSystemClock, type Logger, type Registry } from '@whetstone/platform';

import { appendTimer } from '../metrics.js';
import { partitionOf } from '../partition-of.js';
import type { EventLog, NewEvent } from '../ports.js';
import { AppendQueue } from './append-queue.js';
import { ConsumerGroups } from './consumer-groups.js';
import type { Partition } from './database.js';
import { EventReader } from './event-reader.js';
import { LogTail } from './log-tail.js';
import { createLogWriter } from './log-writer.js';
import { TopicFollower } from './topic-follower.js';

export interface LocalEventLogOptions {
  path: string;
  topics: readonly TopicSpec[];
  clock?: Clock;
  logger?: Logger;
  registry?: Registry;
  /** How long to wait for another process that writes. */
  busyTimeoutMs?: number;
  /** How often to look for events of other processes. */
  pollMs?: number;
  /** Pause between two rounds of retention and compaction. */
  maintenanceMs?: number;
}

export interface LocalEventLog extends EventLog {
  /** Applies retention and compaction as of `now`, in small steps that let appends through. */
  maintain(now?: Micros): Promise<void>;
}

/** The durable log in one SQLite file. Several processes may append to it; consumer groups live in one of them. */
export async function openLocalEventLog({
  path,
  topics,
  clock = createSystemClock(),
  logger,
  registry,
  busyTimeoutMs = 10_000,
  pollMs = 150,
  maintenanceMs = 60_000,
}: LocalEventLogOptions): Promise<LocalEventLog> {
  const nowMs = () => Math.floor(clock.now() / 1000);
  const observeAppend = appendTimer(registry);
  const writer = createLogWriter({ path, topics, busyTimeoutMs, logger });
  const directory = await directoryOf(writer);
  const reader = new EventReader(path, logger);
  const tail = new LogTail({ reader, pollMs, logger });
  const queue = new AppendQueue({ write: (batch) => writer.write(batch), onWritten: (ends) => tail.appended(ends) });
  const groups = new ConsumerGroups({ reader, tail, nowMs, savePosition: (position) => queue.savePosition(position) });
  const followers = new Set<TopicFollower>();
  const stopMaintenance = scheduleMaintenance({ maintain, everyMs: maintenanceMs, logger });
  let closing: Promise<void> | undefined;

  function partitionsOf(topic: string): Partition[] {
    if (closing !== undefined) throw new AppError('log_unavailable', 'The log is closed', { retryable: true });
    const partitions = directory.get(topic);
    if (!partitions) throw new AppError('invalid_argument', `The log has no topic ${topic}`);
    return partitions;
  }

  async function append(topic: string, { key, partitionKey = key, value, headers = {} }: NewEvent): Promise<void> {
    const partitions = partitionsOf(topic);
    const partition = partitions[partitionOf(partitionKey, partitions.length)] as Partition;
    const headersJson = JSON.stringify(headers);
    if (Buffer.byteLength(key) + Buffer.byteLength(headersJson) + value.byteLength > maxEventBytes) {
      throw new AppError('too_large', `Log events are limited to ${maxEventBytes} bytes`);
    }
    const { id: partitionId, compacted } = partition;
    const valueBytes = value.byteLength;
    const event = { partitionId, compacted, key, headers: headersJson, timestampMs: nowMs(), valueBytes };
    await observeAppend(() => queue.append(event, value));
  }

  async function maintain(now: Micros = clock.now()): Promise<void> {
    for (const partition of [...directory.values()].flat()) {
      while (closing === undefined && (await writer.clean(partition, Math.floor(now / 1000))));
    }
    while (closing === undefined && (await writer.shrink()));
    // What was removed lingers in the write-ahead log until that is emptied.
    if (closing === undefined) await writer.truncateWal();
  }

  async function close(): Promise<void> {
    stopMaintenance();
    await Promise.all([...followers].map((follower) => follower.stop()));
    await groups.stop();
    await queue.drain();
    reader.close();
    await writer
      .truncateWal()
      .catch((error: unknown) => logger?.warn({ err: error }, 'Emptying the write-ahead log failed'));
    await writer.close();
  }

  return {
    append,
    maintain,
    consume: async (options) => groups.join(partitionsOf(options.topic), options),
    async follow(options) {
      const partitions = partitionsOf(options.topic);
      const onStopped = (stopped: TopicFollower) => followers.delete(stopped);
      const follower = new TopicFollower({ tail, partitions, handlers: options, onStopped });
      followers.add(follower);
      return follower;
    },
    healthy: () => closing === undefined && queue.healthy && tail.healthy,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function directoryOf(writer: ReturnType<typeof createLogWriter>): Promise<Map<string, Partition[]>> {
  try {
    const directory = new Map<string, Partition[]>();
    for (const partition of await writer.partitions()) {
      directory.set(partition.topic, [...(directory.get(partition.topic) ?? []), partition]);
    }
    return directory;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

interface MaintenanceOptions {
  maintain(): Promise<void>;
  everyMs: number;
  logger?: Logger | undefined;
}

/** Runs one round after another, never two at once. Returns a function that stops it. */
function scheduleMaintenance({ maintain, everyMs, logger }: MaintenanceOptions): () => void {
  let timer = setTimeout(run, everyMs).unref();
  let stopped = false;

  function run(): void {
    maintain()
      .catch((error) => logger?.warn({ err: error }, 'Log retention and compaction failed; retrying later'))
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref();
      });
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
