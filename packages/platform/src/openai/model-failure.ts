import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

import { AppError } from '../app-error.js';

/** The closed set of model failures; a metric label. */
export type FailureKind = AwayKind | SetupKind | RequestKind;

/** The endpoint is away or busy, or its answer was lost: the same call may succeed later. */
type AwayKind = 'timeout' | 'unreachable' | 'rate_limited' | 'server_error' | 'broken_answer';
/** Nothing works until somebody changes a setting, an account or the endpoint. */
type SetupKind = 'unauthorized' | 'not_found' | 'quota_exceeded' | 'not_an_endpoint' | 'wrong_setting';
/** The endpoint works and rejects this request. */
type RequestKind =
  | 'context_overflow'
  | 'unsupported_output'
  | 'unsupported_limit'
  | 'content_filtered'
  | 'invalid_request';

const awayKinds: ReadonlySet<FailureKind> = new Set<AwayKind>([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
  'broken_answer',
]);
const setupKinds: ReadonlySet<FailureKind> = new Set<SetupKind>([
  'unauthorized',
  'not_found',
  'quota_exceeded',
  'not_an_endpoint',
  'wrong_setting',
]);

/** A call of a model that failed. The message may be logged: it holds no key, and of the request at most what the endpoint quotes. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  /** From Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the endpoint rather than the request is to blame. */
  get isAway(): boolean {
    return awayKinds.has(this.kind) || this.needsSomebody;
  }

  /** Whether somebody has to act; waiting does not help. */
  get needsSomebody(): boolean {
    return setupKinds.has(this.kind);
  }
}

export function isModelFailure(error: unknown, kind?: FailureKind): error is ModelFailure {
  return error instanceof ModelFailure && (kind === undefined || error.kind === kind);
}

/**
 * The failure as a domain error. If the endpoint is to blame, it is a dependency that is away, even if somebody has to
 * fix it first: no message is lost over a wrong key. What the endpoint says about a request may quote it, so that stays
 * with the cause, for log lines.
 */
export function toAppError(failure: ModelFailure, code: 'analysis_failed' | 'internal'): AppError {
  if (failure.isAway) return new AppError('model_unavailable', failure.message, { retryable: true });
  return new AppError(code, `The endpoint rejects the request (${failure.kind}); the log says why`, { cause: failure });
}

const messageChars = 400;

const overflow =
  /context[_ -]?(?:length|size|window)|maximum context|exceeds? (?:the )?(?:available |model'?s )?(?:context|token)|too many (?:input )?tokens|(?:prompt|input|request) (?:is )?too (?:long|large)|reduce the length/i;
const outputFormat =
  /response[_ ]?format|json[_ ]?schema|json[_ ]?object|json[_ ]mode|structured[_ ]output|guided[_ ](?:json|decoding)|grammar|invalid schema/i;
const unsupported =
  /not (?:be )?(?:supported|implemented|available)|unsupported|unavailable|failed to (?:parse|initiali[sz]e)/i;
const tokenLimit = /max_tokens|max_completion_tokens/i;
const limitTooLarge = /too (?:large|high|many)|at most|exceeds?|less than|must be/i;
const filtered = /content[_ ]?(?:filter|policy|management|moderation)|moderation|flagged|safety system/i;
const noSuchModel =
  /\bmodel\b.{0,80}\b(?:not (?:exist|found|supported|available)|unknown|invalid)|(?:invalid|unknown) model/i;
const outOfMoney = /insufficient[_ ](?:quota|balance|funds|credits)|exceeded your current quota|billing/i;

/** Classifies what the SDK throws. */
export function classifyFailure(error: unknown, nowMs: number): ModelFailure {
  if (error instanceof APIConnectionTimeoutError)
    return new ModelFailure('timeout', 'The endpoint did not answer in time');
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return brokenConnection(error);
  return classifyAnswer(error, nowMs);
}

/** Classifies an error answer by its status, or by a code in its place. */
export function classifyAnswer({ status, message, code, param, type, headers }: APIError, nowMs: number): ModelFailure {
  const said = [message, code, param, type].filter((part) => part != null).join(' ');
  const kind = kindOf(status ?? 0, said);
  return new ModelFailure(kind, `The endpoint answered: ${clip(message)}`, retryAfterMs(headers, nowMs));
}

function kindOf(status: number, said: string): FailureKind {
  if (status === 429) return outOfMoney.test(said) ? 'quota_exceeded' : 'rate_limited';
  // Some servers answer 5xx when they cannot do what was asked.
  if ((status === 500 || status === 501) && outputFormat.test(said) && unsupported.test(said))
    return 'unsupported_output';
  if (status === 501) return 'not_found';
  if (status >= 500 || [408, 409, 425].includes(status)) return 'server_error';
  if (status === 413) return 'context_overflow';
  if ([400, 403, 422].includes(status) && filtered.test(said)) return 'content_filtered';
  if (status === 401 || status === 403 || status === 407) return 'unauthorized';
  if (status === 402) return 'quota_exceeded';
  if (status === 404 || status === 405) return 'not_found';
  return kindOfRejection(said);
}

/** The endpoint rejects the request as it stands. */
function kindOfRejection(said: string): FailureKind {
  if (overflow.test(said)) return 'context_overflow';
  if (outputFormat.test(said)) return 'unsupported_output';
  if (tokenLimit.test(said)) return limitTooLarge.test(said) ? 'wrong_setting' : 'unsupported_limit';
  if (noSuchModel.test(said)) return 'not_found';
  return 'invalid_request';
}

function brokenConnection(error: unknown): ModelFailure {
  const { name, message } = rootOf(error);
  if (name === 'SyntaxError') {
    return new ModelFailure('broken_answer', 'The answer of the endpoint is no whole JSON document');
  }
  return new ModelFailure('unreachable', `The endpoint cannot be reached or broke off: ${clip(message)}`);
}

/** `fetch failed` says nothing; its cause does. */
function rootOf(error: unknown): { name: string; message: string } {
  let root = error as Partial<NodeJS.ErrnoException>;
  while (typeof root.cause === 'object' && root.cause !== null) root = root.cause;
  const { name = 'Error', message, code } = root;
  return { name, message: message || code || name };
}

function clip(text: string): string {
  return text.length <= messageChars ? text : `${text.slice(0, messageChars - 1)}…`;
}

/** Upper bound of Retry-After. */
const longestMs = 5 * 60_000;

/**
 * Retry-After in seconds or as a date, or `retry-after-ms`. Bounded; `undefined`
 * if absent or unreadable.
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const asked = milliseconds(headers?.get('retry-after-ms')) ?? fromRetryAfter(headers?.get('retry-after'), nowMs);
  return asked === undefined ? undefined : Math.min(longestMs, Math.max(0, asked));
}

function milliseconds(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function fromRetryAfter(text: string | null | undefined, nowMs: number): number | undefined {
  const seconds = milliseconds(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : date - nowMs;
}

const errorChars = 4_000;

/**
 * The global `fetch` for the SDK, which understands only `{"error": …}`. Endpoints send errors in other shapes too
 * (`detail`, `message`, plain text); this converts them.
 */
export async function fetchWithPlainErrors(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  const text = (await response.text()).slice(0, errorChars);
  const plain = new Headers({ 'content-type': 'application/json' });
  for (const name of ['retry-after', 'retry-after-ms', 'x-request-id']) {
    const value = headers.get(name);
    if (value !== null) plain.set(name, value);
  }
  return new Response(JSON.stringify({ error: errorIn(text) }), { status, statusText, headers: plain });
}

function errorIn(text: string): object {
  const { error } = parsed(text) ?? {};
  if (typeof error === 'object' && error !== null) return error;
  if (typeof error === 'string') return { message: error };
  return { message: text.trim() === '' ? 'no reason given' : text };
}

/** `undefined` if it is not JSON. */
function parsed(text: string): { error?: unknown } | null | undefined {
  try {
    return JSON.parse(text) as { error?: unknown } | null;
  } catch {
    return undefined;
  }
}
