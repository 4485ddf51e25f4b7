import { setMaxListeners } from 'node:events';

import { AppError, type BackOff, isAppError, type Logger, retry } from '@whetstone/platform';
import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { MilvusConfig } from './milvus-config.js';

interface RetryingCallsOptions {
  /** For messages. */
  address: string;
  /** Of one operation, including retries. */
  timeoutMs: number;
  logger: Logger;
}

/** Sends one request, given the operation's remaining time. */
export type Send<Answer> = (timeoutMs: number) => Promise<Answer>;

/** An operation; its requests share one deadline. */
export interface Operation {
  /** Sends a request once; throws MilvusFailure. */
  once<Answer>(send: Send<Answer>): Promise<Answer>;
}

export interface RetryingCalls {
  /**
   * Runs `work`, and restarts it after transient failures until the deadline. Throws AppError `store_unavailable`,
   * AppError `internal` if Milvus rejects a request, and MilvusFailure if a partition is missing, which the caller
   * interprets.
   */
  withRetries<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result>;
  /** Ends waiting retries. */
  close(): void;
}

const backOff: BackOff = { firstWaitMs: 50, longestWaitMs: 1000 };
const transient = new Set(['unavailable', 'not_loaded', 'no_collection']);

/** Retries until a deadline: the SDK's own retries end after 140 ms, but a restart of Milvus takes longer. */
export function createRetryingCalls({ address, timeoutMs, logger }: RetryingCallsOptions): RetryingCalls {
  const closing = new AbortController();
  // One listener for each operation in flight.
  setMaxListeners(0, closing.signal);
  let unavailable = false;

  async function withRetries<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    const operation: Operation = {
      once: async (send) => {
        try {
          return checked(await send(Math.max(1, Math.ceil(deadline - performance.now()))));
        } catch (error) {
          throw failureOf(error);
        }
      },
    };
    const retryIf = (error: unknown) => !(error instanceof AppError) && transient.has(failureOf(error).kind);
    try {
      const result = await retry(() => work(operation), {
        ...backOff,
        retryIf,
        withinMs: timeoutMs,
        signal: closing.signal,
      });
      if (unavailable) logger.info({ address }, 'Milvus is available again');
      unavailable = false;
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      const failure = failureOf(error);
      throw failure.kind === 'no_partition' ? failure : appErrorOf(failure);
    }
  }

  function appErrorOf(failure: MilvusFailure): AppError {
    if (failure.kind === 'refused') {
      return new AppError('internal', `Milvus rejected a request: ${failure.message}`, { cause: failure });
    }
    if (!unavailable) logger.warn({ err: failure, address }, 'Milvus is unavailable; retrying with every call');
    unavailable = true;
    return new AppError('store_unavailable', 'The vector store is unavailable', { retryable: true, cause: failure });
  }

  return { withRetries, close: () => closing.abort(new MilvusFailure('unavailable', 'The store is closed')) };
}

/** Concurrent requests on the one connection; more are queued. */
const maxConcurrentRequests = 64;

/**
 * Creates an SDK client, which connects with its first request.
 *
 * Removes the SDK's own retries: they end after 140 ms, report an unknown method as an empty success, and serialise
 * every message as JSON for a disabled log, which takes longer than decoding it.
 */
export function openClient(config: Omit<MilvusConfig, 'shards' | 'vectorIndex'>): MilvusClient {
  const { address, credentials, database, tls, timeoutMs } = config;
  const client = new MilvusClient({
    address,
    database,
    ...credentials,
    ...(tls ? { ssl: true, ...(tls.ca === undefined ? {} : { tls: { rootCert: Buffer.from(tls.ca) } }) } : {}),
    // For the SDK's own requests; ours pass their own timeout.
    timeout: timeoutMs,
    pool: { min: 0, max: maxConcurrentRequests, acquireTimeoutMillis: timeoutMs },
    // No keepalive pings while idle: a server may close the connection for too many pings.
    channelOptions: { 'grpc.keepalive_permit_without_calls': 0 },
    // Otherwise the connect request is rejected unhandled while Milvus is down, and ends the process.
    __SKIP_CONNECT__: true,
    trace: true,
    logLevel: 'error',
  });
  const { channelOptions } = client;
  // The retry interceptor is the last one. Connections are made later, from these options.
  channelOptions.interceptors = (channelOptions.interceptors as unknown[]).slice(0, -1);
  return client;
}

/**
 * Explains an outage to the operator: AppError `invalid_argument` for configuration mistakes, otherwise
 * `store_unavailable`. Other errors are returned unchanged.
 */
export function explainOutage(error: unknown, config: Pick<MilvusConfig, 'address' | 'database'>): unknown {
  if (!isAppError(error, 'store_unavailable')) return error;
  const { address, database } = config;
  const { cause } = error;
  const kind = cause instanceof MilvusFailure ? cause.kind : undefined;
  if (kind === 'credentials') {
    const reason = (cause as MilvusFailure).message;
    return new AppError('invalid_argument', `Milvus at ${address} rejected the credentials: ${reason}`, { cause });
  }
  if (kind === 'no_database') {
    return new AppError('invalid_argument', `Milvus at ${address} has no database "${database}"; create it first`, {
      cause,
    });
  }
  return new AppError('store_unavailable', `Milvus at ${address} does not answer`, { retryable: true, cause });
}

/**
 * What to do about a failed request: `unavailable` is transient, `not_loaded` and `no_collection` pass once the Milvus
 * collection is prepared, `no_partition` means that the Whetstone collection does not exist; retrying does not help
 * with the others.
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

/** Milvus responses contain a status or are one. */
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

/** gRPC codes INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED. */
const kindsByGrpcCode = new Map<number, FailureKind>([
  [3, 'refused'],
  [7, 'credentials'],
  [12, 'refused'],
  [16, 'credentials'],
]);

/**
 * Returns the response if it reports success, otherwise throws. Some failures set only one of the two codes, and the
 * SDK accepts an empty message as a response.
 */
export function checked<Answer>(answer: Answer): Answer {
  const status = statusOf(answer);
  if (status?.error_code === undefined) throw new MilvusFailure('unavailable', 'Milvus sent an empty response');
  const succeeded = (status.error_code === 'Success' || status.error_code === 0) && (status.code ?? 0) === 0;
  if (!succeeded) throw ofStatus(status);
  return answer;
}

/** Classifies a rejection: a gRPC error, a plain Milvus response, or an error of the SDK. */
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
  // Milvus Lite has no code for a missing database.
  const kind = /database .*(not exist|not found)/i.test(reason) ? 'no_database' : kindsByCode.get(code);
  return new MilvusFailure(kind ?? 'unavailable', `${reason} (code ${code})`, status);
}

/** Treats a missing collection as empty. */
export function emptyIfMissing(error: unknown): [] {
  if (isMissingPartition(error)) return [];
  throw error;
}

export function isMissingPartition(error: unknown): boolean {
  return error instanceof MilvusFailure && error.kind === 'no_partition';
}
