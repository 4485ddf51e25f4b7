import { AppError, type BackOff, isAppError, type Logger, retry } from '@whetstone/platform';
import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { MilvusConfig } from './milvus-config.js';

interface RetryingCallsOptions {
  /** For messages. */
  address: string;
  /** Of one operation, with all its tries. */
  timeoutMs: number;
  logger: Logger;
}

/** How one request is sent: given what is left of the operation's time. */
export type Ask<Answer> = (timeoutMs: number) => Promise<Answer>;

/** The time of one operation, shared by all its requests. */
export interface Operation {
  /** One request, once; throws MilvusFailure. */
  once<Answer>(ask: Ask<Answer>): Promise<Answer>;
}

export interface RetryingCalls {
  /**
   * Does the work, again from its beginning where it fails for a reason that may pass, until the time is over. Throws
   * AppError `store_unavailable`, `internal` where Milvus refuses what it was asked, and MilvusFailure where a partition is
   * missing: what that means, the caller knows.
   */
  retried<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result>;
  /** Ends what waits for its next try. */
  close(): void;
}

const backOff: BackOff = { firstWaitMs: 50, longestWaitMs: 1000 };
const passing = new Set(['unavailable', 'not_loaded', 'no_collection']);

/** The SDK's own retries end after 140 ms, and a restart of Milvus takes longer: here is a deadline instead. */
export function createRetryingCalls({ address, timeoutMs, logger }: RetryingCallsOptions): RetryingCalls {
  const closing = new AbortController();
  let away = false;

  async function retried<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    const operation: Operation = {
      once: async (ask) => {
        try {
          return checked(await ask(Math.max(1, Math.ceil(deadline - performance.now()))));
        } catch (error) {
          throw failureOf(error);
        }
      },
    };
    const retryIf = (error: unknown) => !(error instanceof AppError) && passing.has(failureOf(error).kind);
    try {
      const result = await retry(() => work(operation), {
        ...backOff,
        retryIf,
        withinMs: timeoutMs,
        signal: closing.signal,
      });
      if (away) logger.info(`Milvus at ${address} answers again`);
      away = false;
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      const failure = failureOf(error);
      throw failure.kind === 'no_partition' ? failure : appErrorOf(failure);
    }
  }

  function appErrorOf(failure: MilvusFailure): AppError {
    if (failure.kind === 'refused') {
      return new AppError('internal', `Milvus refused a request: ${failure.message}`, { cause: failure });
    }
    if (!away) logger.warn({ err: failure }, `Milvus at ${address} does not serve: ${failure.message}`);
    away = true;
    return new AppError('store_unavailable', 'The vector store did not answer', { retryable: true, cause: failure });
  }

  return { retried, close: () => closing.abort(new MilvusFailure('unavailable', 'The store is closed')) };
}

/** Requests that are under way at once; more wait for their turn. They share one connection. */
const concurrentRequests = 64;

/**
 * A client of the SDK. Connects with its first request, not before.
 *
 * Without the SDK's own retries: they end after 140 ms, take a method that the server does not know for an empty success,
 * and write every message as JSON for a log that is off, which takes longer than reading the message.
 */
export function openClient(config: Omit<MilvusConfig, 'shards'>): MilvusClient {
  const { address, credentials, database, tls, timeoutMs } = config;
  const client = new MilvusClient({
    address,
    database,
    ...credentials,
    ...(tls ? { ssl: true, ...(tls.ca === undefined ? {} : { tls: { rootCert: Buffer.from(tls.ca) } }) } : {}),
    // For what it asks on its own; every request of ours brings its own limit.
    timeout: timeoutMs,
    pool: { min: 0, max: concurrentRequests, acquireTimeoutMillis: timeoutMs },
    // Pings while nothing is asked: a server that thinks them too many ends the connection.
    channelOptions: { 'grpc.keepalive_permit_without_calls': 0 },
    // Its greeting is answered by nobody if Milvus is away, and would end the process as an unhandled rejection.
    __SKIP_CONNECT__: true,
    trace: true,
    logLevel: 'error',
  });
  const { channelOptions } = client;
  // The retries come last, and connections are made from these options later, with the first request.
  channelOptions.interceptors = (channelOptions.interceptors as unknown[]).slice(0, -1);
  return client;
}

/**
 * Why Milvus did not serve, in words for whoever configured it: AppError `invalid_argument` for what no waiting mends,
 * otherwise `store_unavailable`. What is no outage stays as it is.
 */
export function explainOutage(error: unknown, config: Pick<MilvusConfig, 'address' | 'database'>): unknown {
  if (!isAppError(error, 'store_unavailable')) return error;
  const { address, database } = config;
  const { cause } = error;
  const kind = cause instanceof MilvusFailure ? cause.kind : undefined;
  if (kind === 'credentials') {
    const reason = (cause as MilvusFailure).message;
    return new AppError('invalid_argument', `Milvus at ${address} refuses the credentials: ${reason}`, { cause });
  }
  if (kind === 'no_database') {
    return new AppError('invalid_argument', `Milvus at ${address} has no database "${database}": make it first`, {
      cause,
    });
  }
  return new AppError('store_unavailable', `Milvus at ${address} does not answer`, { retryable: true, cause });
}

/**
 * What went wrong with one request, as far as it matters what to do next:
 * `unavailable` may pass by itself; `not_loaded` passes once the collection is loaded; `no_collection` once it is made;
 * `no_partition` says that a collection of Whetstone does not exist; the others do not pass by trying again.
 */
type FailureKind =
  | 'unavailable'
  | 'not_loaded'
  | 'no_collection'
  | 'no_partition'
  | 'no_database'
  | 'credentials'
  | 'refused';

export class MilvusFailure extends Error {
  override readonly name = 'MilvusFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** What every answer of Milvus carries, or is. */
interface Status {
  error_code?: string | number;
  code?: number;
  reason?: string;
}

const kindsByCode = new Map<number, FailureKind>([
  [6, 'refused'],
  [100, 'no_collection'],
  [101, 'not_loaded'],
  [105, 'refused'],
  [200, 'no_partition'],
  [201, 'not_loaded'],
  [800, 'no_database'],
  [1100, 'refused'],
  [1101, 'refused'],
  [1102, 'refused'],
  [1400, 'credentials'],
  [1401, 'credentials'],
  [1700, 'refused'],
  [1800, 'credentials'],
]);

/** By codes of gRPC: INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED. */
const kindsByGrpcCode = new Map<number, FailureKind>([
  [3, 'refused'],
  [7, 'credentials'],
  [12, 'refused'],
  [16, 'credentials'],
]);

/**
 * The answer, if it says that it is one. Neither the absence of an error nor an answer at all means success: some failures
 * set one of the two codes only, and the SDK takes an empty message for an answer.
 */
export function checked<Answer>(answer: Answer): Answer {
  const status = statusOf(answer);
  if (status?.error_code === undefined) throw new MilvusFailure('unavailable', 'Milvus gave an empty answer');
  const succeeded = (status.error_code === 'Success' || status.error_code === 0) && (status.code ?? 0) === 0;
  if (!succeeded) throw ofStatus(status);
  return answer;
}

/** Of whatever a request was rejected with: errors of gRPC, but also plain answers of Milvus, and mistakes of the SDK. */
export function failureOf(error: unknown): MilvusFailure {
  if (error instanceof MilvusFailure) return error;
  if (!(error instanceof Error)) {
    const status = statusOf(error);
    return status ? ofStatus(status) : new MilvusFailure('unavailable', String(error), error);
  }
  const { code, message } = error as { code?: unknown; message: string };
  if (/larger than max/.test(message)) return new MilvusFailure('refused', message, error);
  const kind = typeof code === 'number' ? kindsByGrpcCode.get(code) : undefined;
  return new MilvusFailure(kind ?? 'unavailable', message, error);
}

function statusOf(answer: unknown): Status | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { status } = answer as { status?: Status | null };
  return status ?? (answer as Status);
}

function ofStatus(status: Status): MilvusFailure {
  const code = status.code || (typeof status.error_code === 'number' ? status.error_code : 0);
  const reason = status.reason || String(status.error_code);
  // Milvus Lite has no code of its own for it.
  const kind = /database .*(not exist|not found)/i.test(reason) ? 'no_database' : kindsByCode.get(code);
  return new MilvusFailure(kind ?? 'unavailable', `${reason} (code ${code})`, status);
}

/** A collection that does not exist is an empty one. */
export function noneIfMissing(error: unknown): [] {
  if (isMissingPartition(error)) return [];
  throw error;
}

export function isMissingPartition(error: unknown): boolean {
  return error instanceof MilvusFailure && error.kind === 'no_partition';
}
