import { type EncryptedReport, type JobEvent, type Micros, type RunCount, topics } from '@whetstone/contracts';
import { type EventLog, type Following, type LogEvent, readJobEvent } from '@whetstone/event-log';
import { AppError, type Logger, logSparingly, retry } from '@whetstone/platform';
import { isDamage } from '@whetstone/platform/sqlite';

import type { JobRecords } from '../domain/get-job.js';
import type { ListedRun, RunRecords } from '../domain/list-runs.js';
import type { SqliteJobTable } from './sqlite-job-table.js';
import { mayPass } from './view-file.js';

export interface JobsViewDeps {
  log: EventLog;
  table: SqliteJobTable;
  logger: Logger;
  onCrash(error: Error): void;
}

const retryMs = 1000;

/** Keeps the job table in step with the jobs topic. */
export class JobsView implements JobRecords, RunRecords {
  readonly #deps: JobsViewDeps;
  readonly #stop = new AbortController();
  /** By job: whom to wake when it ends. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #following: Following | undefined;
  #rebuilding: Promise<void> | undefined;
  #ready = false;
  #isDraining = false;

  constructor(deps: JobsViewDeps) {
    this.#deps = deps;
  }

  get ready(): boolean {
    return this.#ready;
  }

  async start(): Promise<void> {
    const { log, table } = this.#deps;
    const from = table.positions();
    const following = await log.follow({
      topic: topics.jobs.name,
      ...(from === undefined ? {} : { from }),
      onEvents: (events, positions) => this.#apply(events, positions),
      onReset: () => this.#persist(() => table.clear()),
      onCrash: (error) => this.#crash(error),
    });
    this.#following = following;
    following.caughtUp().then(
      () => {
        this.#ready = this.#following === following && !this.#stop.signal.aborted;
      },
      () => {},
    );
  }

  get(jobId: string): JobEvent | undefined {
    return this.#look((table) => table.get(jobId));
  }

  report(jobId: string): EncryptedReport | undefined {
    return this.#look((table) => table.report(jobId));
  }

  list(...query: Parameters<RunRecords['list']>): ListedRun[] {
    return this.#look((table) => table.list(...query));
  }

  count(collectionIds: readonly string[]): RunCount[] {
    return this.#look((table) => table.count(collectionIds));
  }

  #look<Result>(read: (table: SqliteJobTable) => Result): Result {
    try {
      return read(this.#deps.table);
    } catch (cause) {
      if (isDamage(cause)) this.#rebuild(cause as Error);
      throw new AppError('status_unavailable', 'Job records cannot be read', { retryable: true, cause });
    }
  }

  async catchUp(jobId: string): Promise<void> {
    await this.#following?.catchUp(jobId);
  }

  untilEnded(jobId: string, withinMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#isDraining || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(jobId) ?? new Set();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(jobId);
        resolve();
      };
      const timer = setTimeout(wake, withinMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.set(jobId, waiting.add(wake));
    });
  }

  /** From now on nobody waits here for the end of a job. */
  drain(): void {
    this.#isDraining = true;
    for (const jobId of [...this.#waiting.keys()]) this.#wake(jobId);
  }

  /** When the oldest open job was accepted; `undefined` if there is none or the table cannot be read. */
  oldestOpen(): Micros | undefined {
    try {
      return this.#deps.table.oldestOpen();
    } catch {
      return undefined;
    }
  }

  ageSeconds(): number {
    return this.#following?.ageSeconds() ?? 0;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#ready = false;
    this.drain();
    await this.#rebuilding;
    await this.#following?.stop();
  }

  async #apply(events: LogEvent[], positions: number[]): Promise<void> {
    const records: JobEvent[] = [];
    for (const event of events) {
      const record = await this.#read(event);
      if (record) records.push(record);
    }
    await this.#persist(() => this.#deps.table.apply(records, positions));
    for (const { jobId, status } of records) if (status !== 'processing') this.#wake(jobId);
  }

  #wake(jobId: string): void {
    for (const wake of [...(this.#waiting.get(jobId) ?? [])]) wake();
  }

  /** A damaged record does not keep the others from being read. What a decoder says may quote it, so it is not logged. */
  async #read(event: LogEvent): Promise<JobEvent | undefined> {
    const record = await readJobEvent(event).catch(() => null);
    if (isJobEvent(record)) return record;
    const { partition, offset } = event;
    this.#deps.logger.error({ partition, offset }, 'Skipped an unreadable record in the jobs topic');
    return undefined;
  }

  /** A full or locked disk may get better; a broken file, or a mistake in the program, does not. */
  #persist(write: () => void): Promise<void> {
    return retry(write, {
      retryIf: (error) => mayPass(error),
      onRetry: logSparingly(this.#deps.logger, 'Writing the job table failed; retrying'),
      signal: this.#stop.signal,
      longestWaitMs: retryMs,
    });
  }

  #crash(error: Error): void {
    if (isDamage(error)) this.#rebuild(error);
    else if (!this.#stop.signal.aborted) this.#deps.onCrash(error);
  }

  #rebuild(error: Error): void {
    if (this.#stop.signal.aborted) return;
    this.#ready = false;
    this.#rebuilding ??= this.#beginAnew(error).finally(() => {
      this.#rebuilding = undefined;
    });
  }

  async #beginAnew(error: Error): Promise<void> {
    const { table, logger, onCrash } = this.#deps;
    logger.error({ err: error }, 'Job table is corrupt; rebuilding it from the log');
    try {
      await this.#following?.stop();
      table.recreate();
      await this.start();
    } catch (failure) {
      onCrash(failure as Error);
    }
  }
}

function isJobEvent(value: Partial<JobEvent> | null): value is JobEvent {
  return (
    typeof value === 'object' &&
    typeof value?.jobId === 'string' &&
    Number.isSafeInteger(value.acceptedAt) &&
    ['processing', 'completed', 'failed'].includes(value.status ?? '')
  );
}
