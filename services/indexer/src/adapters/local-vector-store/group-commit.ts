import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError } from '@whetstone/platform/worker';

interface PendingWrite {
  write: () => unknown;
  /** Runs after the commit and before the caller is notified. */
  committed: (result: never) => void;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs a write in a transaction shared with other waiting writes; resolves once it is durable. */
type GroupCommit = <Result>(write: () => Result, committed?: (result: Result) => void) => Promise<Result>;

/**
 * Group commit: one transaction and one disk flush for all waiting writes. A failing write is rolled back alone; if the
 * commit fails, all of them fail.
 */
export function createGroupCommit(db: DatabaseSyncInstance): GroupCommit {
  let queue: PendingWrite[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    const done: { waiting: PendingWrite; result: unknown }[] = [];
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const waiting of batch) {
        const result = runInSavepoint(waiting);
        if (result) done.push({ waiting, result: result.value });
      }
      db.exec('COMMIT');
    } catch (error) {
      rollBack();
      const failure = new AppError('store_unavailable', 'Writing to the knowledge database failed', {
        retryable: true,
        cause: error,
      });
      for (const { reject } of batch) reject(failure);
      return;
    }
    for (const { waiting, result } of done) waiting.committed(result as never);
    for (const { waiting, result } of done) waiting.resolve(result);
  }

  function runInSavepoint({ write, reject }: PendingWrite): { value: unknown } | undefined {
    db.exec('SAVEPOINT one');
    try {
      const value = write();
      db.exec('RELEASE one');
      return { value };
    } catch (error) {
      db.exec('ROLLBACK TO one; RELEASE one');
      reject(error);
      return undefined;
    }
  }

  function rollBack(): void {
    // A full disk makes SQLite roll back by itself, and a locked file keeps a transaction from beginning.
    if (db.isTransaction) db.exec('ROLLBACK');
  }

  return (write, committed = () => undefined) =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush);
      queue.push({ write, committed, resolve: resolve as (value: unknown) => void, reject });
    });
}
