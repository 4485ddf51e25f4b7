import { workerData } from 'node:worker_threads';

import type { TopicSpec } from '@whetstone/contracts';
import { truncateWal } from '@whetstone/platform/sqlite';
import { AppError, isAppError, serveWorker } from '@whetstone/platform/worker';

import {
  type Database,
  isUnavailable,
  logUnavailable,
  needsReopening,
  openDatabase,
  type Partition,
  preparePartitions,
} from './database.js';
import { createEventCleaner, shrinkFile } from './event-cleaner.js';
import { createEventWriter, type WriteBatch } from './event-writer.js';

export interface WriterWorkerData {
  path: string;
  topics: TopicSpec[];
  busyTimeoutMs: number;
}

interface Store {
  database: Database;
  partitions: Partition[];
  write: ReturnType<typeof createEventWriter>;
  clean: ReturnType<typeof createEventCleaner>;
}

const { path, topics, busyTimeoutMs } = workerData as WriterWorkerData;
let store: Store | undefined;

serveWorker({
  partitions: () => withStore(({ partitions }) => partitions),
  write: (batch: WriteBatch) => withStore(({ write }) => write(batch)),
  clean: ({ partition, nowMs }: { partition: Partition; nowMs: number }) =>
    withStore(({ clean }) => clean(partition, nowMs)),
  shrink: () => withStore(({ database }) => shrinkFile(database)),
  truncateWal: () => withStore(({ database }) => truncateWal(database)),
  close,
});

/**
 * Opens the file on first use and again after a failure that breaks the connection. An error that is not the fault of
 * the file or the disk becomes `invalid_argument`: the caller then finds out which of its events caused it.
 */
function withStore<Result>(work: (store: Store) => Result): Result {
  try {
    store ??= openStore();
    return work(store);
  } catch (error) {
    if (needsReopening(error)) close();
    if (isAppError(error)) throw error;
    if (isUnavailable(error)) throw logUnavailable(error);
    throw new AppError('invalid_argument', 'The log cannot take this event', { cause: error });
  }
}

function openStore(): Store {
  const database = openDatabase(path, busyTimeoutMs);
  try {
    const partitions = preparePartitions(database, topics);
    return { database, partitions, write: createEventWriter(database), clean: createEventCleaner(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function close(): void {
  const closing = store;
  store = undefined;
  closing?.database.close();
}
