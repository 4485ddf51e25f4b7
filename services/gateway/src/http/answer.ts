import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, isAppError } from '@whetstone/platform';
import type { Response } from 'express';
import helmet from 'helmet';
import { exchangeOf } from './exchange.js';
import { Refusal } from './refusals.js';

export interface Answer {
  status: number;
  body: unknown;
  /** Instead of the body: a large one as JSON, which is written without copying it. */
  parts?: readonly Uint8Array[];
  /** Of the parts, if they are not JSON. */
  contentType?: string;
  headers?: Record<string, string>;
}

const longText = 16 * 1024;

/** Writes all headers at once: setting them one by one would be the slowest part of an answer. */
export function sendAnswer(res: Response, { status, body, parts, contentType, headers }: Answer): void {
  const text = parts ? '' : JSON.stringify(body);
  // Measuring a string and sending it encodes it twice; a long one is encoded once.
  const written = text.length > longText ? Buffer.from(text) : text;
  const bytes = parts ? parts.reduce((sum, { length }) => sum + length, 0) : Buffer.byteLength(written);
  const list = [
    'X-Request-Id',
    exchangeOf(res).requestId,
    'Content-Type',
    contentType ?? 'application/json',
    'Content-Length',
    String(bytes),
    ...apiHeaders,
  ];
  for (const name in headers) list.push(name, headers[name] as string);
  res.writeHead(status, list);
  for (const part of parts ?? []) res.write(part);
  res.end(written);
}

/** The 500 of an operation. */
export interface Failure {
  error:
    | 'audit_failed'
    | 'collections_failed'
    | 'delete_failed'
    | 'enhance_failed'
    | 'feedback_failed'
    | 'internal_error'
    | 'keys_failed'
    | 'lessons_failed'
    | 'queueing_failed'
    | 'runs_failed'
    | 'settings_failed'
    | 'status_failed'
    | 'uplift_failed'
    | 'usage_failed';
  message: string;
  /** Tells callers that only repeat what such a status asks for that they may. */
  mayRetryWith?: 503;
}

export const internalFailure: Failure = { error: 'internal_error', message: 'Internal server error' };

const retryAfterSeconds = '5';

/** Errors that callers are told as they are. */
const callersMistakes: Partial<Record<ErrorCode, number>> = {
  tenant_forbidden: 403,
  answer_not_found: 404,
  job_not_found: 404,
  key_not_found: 404,
  lesson_not_found: 404,
  own_key: 409,
  too_many_collections: 409,
  too_many_deletions: 409,
  too_many_keys: 409,
};

/** The only place where errors become answers. Internal causes and messages never reach a caller. */
export function answerTo(error: unknown, failure: Failure, requestId: string): Answer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId);
  if (isAppError(error, 'too_large')) {
    const message = 'The body is too large to queue';
    return { status: 413, body: { error: 'body_too_large', message, request_id: requestId } };
  }
  const status = isAppError(error) ? callersMistakes[error.code] : undefined;
  if (isAppError(error) && status !== undefined) {
    return { status, body: { error: error.code, message: error.message, request_id: requestId } };
  }
  const { mayRetryWith = 500, ...told } = failure;
  const body = { ...told, request_id: requestId };
  const mayRetry = isAppError(error) && (error.retryable || error.code === 'deadline_exceeded');
  if (!mayRetry) return { status: 500, body };
  return { status: mayRetryWith, body, headers: { 'Retry-After': retryAfterSeconds } };
}

function refusalAnswer({ status, error, message, hint, headers, problems }: Refusal, requestId: string): Answer {
  if (status === 422) return { status, headers, body: { detail: problems } };
  const hinted = hint === undefined ? {} : { hint };
  return { status, headers, body: { error, message, ...hinted, request_id: requestId } };
}

type HelmetOptions = Parameters<typeof helmet>[0];

/** For JSON answers, which no browser should render, frame, store or sniff. */
const apiHeaders: readonly string[] = [
  ...headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Only relevant to pages and downloads.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
  'Cache-Control',
  'no-store',
];

/** For `/docs`: loads only from this server, and may call its operations. */
export const pageHeaders: readonly string[] = headersOf({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'", 'data:'],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
    },
  },
});

/**
 * For `/console`: nothing inline, nothing from elsewhere, and no text ever becomes markup or code.
 */
export const consoleHeaders: readonly string[] = headersOf({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'"],
      requireTrustedTypesFor: ["'script'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      trustedTypes: ["'none'"],
    },
  },
});

/** Alternating names and values, computed once because they never change. */
function headersOf(options: HelmetOptions): string[] {
  const headers: string[] = [];
  const recorder = { setHeader: (name: string, value: string) => headers.push(name, value), removeHeader() {} };
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return headers;
}
