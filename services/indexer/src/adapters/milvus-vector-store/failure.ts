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
