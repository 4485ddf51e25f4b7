import { Adviser } from './adviser.js';
import { Circuit, circuitTimes } from './circuit.js';
import { Operations } from './operations.js';
import { guarded, type ProblemHandler, warnSparingly } from './problems.js';
import { recordLimits, shorten, textOf } from './recorded-turns.js';
import { Run, type RunOptions } from './run.js';
import type { Connection } from './transport.js';
import { queueLimits, UploadQueue } from './upload-queue.js';

export interface WhetstoneOptions {
  /** The collection: any name, such as one per bot or workflow. */
  tenant: string;
  /** The kind of agent: runs of the same kind are trusted sooner. */
  agentType?: string | undefined;
  /** WHETSTONE_URL if absent, else http://127.0.0.1:8080. */
  url?: string | undefined;
  /** WHETSTONE_KEY if absent. */
  key?: string | undefined;
  /** The longest that a run waits for recommendations: 2,000 by default. */
  adviceTimeoutMs?: number | undefined;
  /** How long the client does not ask after a failure: 10,000 by default, and up to 60,000 while failures go on. */
  coolDownMs?: number | undefined;
  /** Uploads that wait are kept here and survive the process; in memory if absent. One folder for each account. */
  queueFolder?: string | undefined;
  /** Most uploads that wait: 1,000 by default. Beyond that the oldest are dropped. */
  maxQueuedRuns?: number | undefined;
  /** Most bytes that wait: 64 MiB by default. */
  maxQueuedBytes?: number | undefined;
  /** For one attempt to upload: 10,000 by default. */
  uploadTimeoutMs?: number | undefined;
  /** Before the second attempt: 1,000 by default. It doubles with each further one, up to 60,000. */
  uploadPauseMs?: number | undefined;
  /** Characters of a value of a turn, beyond which it is shortened: 32,768 by default. */
  maxValueChars?: number | undefined;
  /** Told each problem. By default one line a minute for each kind goes to `console.warn`. */
  onProblem?: ProblemHandler | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** What became of tasks and runs since the client was made. */
export interface Counts {
  /** Tasks that the server answered, with or without recommendations. */
  advised: number;
  /** Tasks without an answer: the server was away, or was not asked because of that. */
  away: number;
  /** Runs that the server has. */
  uploaded: number;
  waiting: number;
  /** Attempts to upload that failed and were repeated. */
  retried: number;
  /** Runs that were lost: the queue was full, the server did not take them, or the client was closed. */
  dropped: number;
  /** Left out of uploads, to keep within the server's limits. */
  valuesShortened: number;
  turnsLeftOut: number;
}

const closeTimeoutMs = 5000;
const errorChars = 4096;

/**
 * A client for agents. `run` asks before a task and uploads what happened after it; it never throws because of the server. The
 * operations of the REST interface are methods, too, and do throw.
 */
export class Whetstone extends Operations {
  readonly agentType: string | undefined;
  readonly #adviser: Adviser;
  readonly #queue: UploadQueue;
  readonly #tell: ProblemHandler;
  readonly #valueChars: number;
  #valuesShortened = 0;
  #turnsLeftOut = 0;

  constructor(options: WhetstoneOptions) {
    const connection = connect(options);
    super(options.tenant, connection);
    const tell = guarded('onProblem', options.onProblem ?? warnSparingly());
    const pauseMs = options.coolDownMs ?? circuitTimes.pauseMs;
    const circuit = new Circuit({ pauseMs, longestPauseMs: Math.max(pauseMs, circuitTimes.longestPauseMs) });
    this.agentType = options.agentType;
    this.#tell = tell;
    this.#valueChars = options.maxValueChars ?? recordLimits.valueChars;
    this.#adviser = new Adviser({ connection, circuit, tell, timeoutMs: options.adviceTimeoutMs ?? 2000 });
    this.#queue = new UploadQueue({
      connection,
      folder: options.queueFolder,
      tell,
      limits: {
        uploads: options.maxQueuedRuns ?? queueLimits.uploads,
        bytes: options.maxQueuedBytes ?? queueLimits.bytes,
        timeoutMs: options.uploadTimeoutMs ?? queueLimits.timeoutMs,
        pauseMs: options.uploadPauseMs ?? queueLimits.pauseMs,
        longestPauseMs: Math.max(options.uploadPauseMs ?? 0, queueLimits.longestPauseMs),
      },
    });
  }

  get counts(): Counts {
    const { advised, away } = this.#adviser;
    const { uploaded, waiting, retried, dropped } = this.#queue;
    const [valuesShortened, turnsLeftOut] = [this.#valuesShortened, this.#turnsLeftOut];
    return { advised, away, uploaded, waiting, retried, dropped, valuesShortened, turnsLeftOut };
  }

  /** Begins a run. Finish it with `await using`, or `finish()`. */
  run(task: string, options?: RunOptions): Promise<Run>;
  /** Works on a task. The run is uploaded when `work` ends; if it throws, the run has failed, and the error is rethrown. */
  run<Result>(task: string, work: (run: Run) => Promise<Result> | Result): Promise<Result>;
  run<Result>(task: string, options: RunOptions, work: (run: Run) => Promise<Result> | Result): Promise<Result>;
  async run<Result>(
    task: string,
    optionsOrWork: RunOptions | ((run: Run) => Promise<Result> | Result) = {},
    workAfter?: (run: Run) => Promise<Result> | Result,
  ): Promise<Run | Result> {
    const [options, work] = typeof optionsOrWork === 'function' ? [{}, optionsOrWork] : [optionsOrWork, workAfter];
    const run = await this.#begin(task, options);
    if (work === undefined) return run;
    try {
      return await work(run);
    } catch (error) {
      // A run that was aborted has not failed: nobody knows.
      if ((error as { name?: unknown } | undefined)?.name !== 'AbortError') run.succeeded = false;
      run.metadata['error'] = shorten(textOf(error) ?? String(error), errorChars);
      throw error;
    } finally {
      await run.finish();
    }
  }

  /** Tries to upload what waits, for at most `timeoutMs`. Resolves with whether nothing waits any more. */
  flush(timeoutMs: number = closeTimeoutMs): Promise<boolean> {
    return this.#queue.flush(timeoutMs);
  }

  /** Flushes, then drops what still waits in memory. What waits in a folder stays there for the next process. */
  close(timeoutMs: number = closeTimeoutMs): Promise<void> {
    return this.#queue.close(timeoutMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #begin(task: string, options: RunOptions): Promise<Run> {
    const { tenant = this.tenant, agentType = this.agentType, context } = options;
    const about = { tenant_id: tenant, context: context ?? null, agent_type: agentType ?? null };
    const advice = task.trim() === '' ? undefined : await this.#adviser.ask(task, about);
    return new Run({
      ...options,
      ...(agentType === undefined ? {} : { agentType }),
      query: task,
      tenant,
      advice,
      tell: this.#tell,
      limits: { valueChars: this.#valueChars, bytes: recordLimits.bytes },
      upload: (body, { shortened, leftOut }, taken) => {
        this.#valuesShortened += shortened;
        this.#turnsLeftOut += leftOut;
        if (shortened + leftOut > 0) {
          const message = `a long run was shortened: ${shortened} values cut, ${leftOut} turns left out`;
          this.#tell({ kind: 'record', message });
        }
        return this.#queue.add(body, taken);
      },
    });
  }
}

/** Trailing slashes and white space come with copying. */
function connect({ url, key, fetch }: WhetstoneOptions): Connection {
  const address = url ?? variable('WHETSTONE_URL') ?? 'http://127.0.0.1:8080';
  return {
    url: address.trim().replace(/\/+$/, ''),
    key: (key ?? variable('WHETSTONE_KEY'))?.trim(),
    // Some runtimes want it called as a function of the global object.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  };
}

/** Undefined where there is no environment, or none that may be read. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch (error) {
    // Deno asks for a permission.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
