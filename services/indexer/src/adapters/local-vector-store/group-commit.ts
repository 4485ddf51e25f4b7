import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError } from '@whetstone/platform/worker';

interface Waiting {
  write: () => unknown;
  /** Runs after the commit, before the caller hears of it. */
  committed: (result: never) => void;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs a write in a transaction that it shares with whoever else is waiting; resolves when it is durable. */
type GroupCommit = <Result>(write: () => Result, committed?: (result: Result) => void) => Promise<Result>;

/**
 * One transaction, and so one flush to disk, for all writes that have arrived meanwhile. A write that fails is undone by
 * itself and fails alone; when the commit fails, all of them have failed.
 */
export function createGroupCommit(db: DatabaseSyncInstance): GroupCommit {
  let queue: Waiting[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    const done: { waiting: Waiting; result: unknown }[] = [];
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const waiting of batch) {
        const result = runAlone(waiting);
        if (result) done.push({ waiting, result: result.value });
      }
      db.exec('COMMIT');
    } catch (error) {
      rollBack();
      const failure = new AppError('store_unavailable', 'The knowledge could not be written', {
        retryable: true,
        cause: error,
      });
      for (const { reject } of batch) reject(failure);
      return;
    }
    for (const { waiting, result } of done) waiting.committed(result as never);
    for (const { waiting, result } of done) waiting.resolve(result);
  }

  function runAlone({ write, reject }: Waiting): { value: unknown } | undefined {
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
