import type { TopicSpec } from '@whetstone/contracts';
import { createWorkerClient, isAppError, type Logger, type WorkerClient } from '@whetstone/platform';

import { logUnavailable, type Partition } from './database.js';
import type { PartitionEnds, WriteBatch } from './event-writer.js';
import type { WriterWorkerData } from './writer-worker.js';

/** Writes the file in a thread of its own, so that no fsync blocks the event loop. */
export interface LogWriter {
  partitions(): Promise<Partition[]>;
  /** Durable when it resolves. Rejects with AppError `log_unavailable`, or `invalid_argument` if an event is at fault. */
  write(batch: WriteBatch): Promise<PartitionEnds>;
  /** One bounded step of retention and compaction; true when there may be more to do. */
  clean(partition: Partition, nowMs: number): Promise<boolean>;
  /** Returns a bounded number of free pages to the disk; true when there may be more to do. */
  shrink(): Promise<boolean>;
  /** Empties the write-ahead log; false if somebody was reading. */
  truncateWal(): Promise<boolean>;
  close(): Promise<void>;
}

export interface LogWriterOptions {
  path: string;
  topics: readonly TopicSpec[];
  busyTimeoutMs: number;
  logger?: Logger | undefined;
}

export function createLogWriter({ path, topics, busyTimeoutMs, logger }: LogWriterOptions): LogWriter {
  const workerData: WriterWorkerData = { path, topics: [...topics], busyTimeoutMs };
  let current: WorkerClient | undefined;

  /** A thread that died is replaced by the next call. */
  function client(): WorkerClient {
    if (current) return current;
    const started = createWorkerClient(new URL('./writer-worker.js', import.meta.url), {
      name: 'event-log-writer',
      workerData,
    });
    current = started;
    void started.ended.then((error) => {
      if (error) logger?.warn({ err: error }, 'Log writer thread ended; the next append restarts it');
      if (current === started) current = undefined;
    });
    return started;
  }

  async function call<Result>(method: string, payload: unknown, transfer: ArrayBuffer[] = []): Promise<Result> {
    try {
      return await client().call<Result>(method, payload, { transfer });
    } catch (error) {
      throw isAppError(error, 'internal') ? logUnavailable(error) : error;
    }
  }

  return {
    partitions: () => call('partitions', undefined),
    write: (batch) => call('write', batch, [batch.values]),
    clean: (partition, nowMs) => call('clean', { partition, nowMs }),
    shrink: () => call('shrink', undefined),
    truncateWal: () => call('truncateWal', undefined),
    async close() {
      if (!current) return;
      try {
        await call('close', undefined);
      } finally {
        await current?.close();
      }
    },
  };
}
