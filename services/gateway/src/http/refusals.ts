import { boundProblems, explainScope, type Problem, type Route, type Scope, scopeMissing } from '@whetstone/contracts';
import type { AuthFailure } from './observe.js';

interface RefusalOptions {
  headers?: Record<string, string>;
  /** The problems of a 422. */
  problems?: Problem[];
  hint?: string;
}

/** Thrown by the HTTP edge to refuse a request. The domain throws AppErrors; `answerTo` handles both. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly error: string;
  readonly headers: Record<string, string>;
  readonly problems: Problem[];
  readonly hint: string | undefined;

  constructor(status: number, error: string, message: string, options: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.error = error;
    this.headers = options.headers ?? {};
    this.problems = options.problems ?? [];
    this.hint = options.hint;
  }
}

/**
 * Error and message are the same for missing, malformed, unknown, expired and revoked keys. Only a missing key gets a hint.
 * Connections without a valid key are closed.
 */
export function invalidApiKey(reason: AuthFailure): Refusal {
  const hint =
    reason === 'missing'
      ? { hint: 'No API key was sent. Send it in the x-api-key header or as Authorization: Bearer.' }
      : {};
  const options = { ...hint, headers: { Connection: 'close', 'WWW-Authenticate': 'Bearer' } };
  return new Refusal(401, 'invalid_api_key', 'The provided API key is invalid or has been revoked', options);
}

export function notFound(): Refusal {
  return new Refusal(404, 'not_found', 'No such path');
}

export function methodNotAllowed(allow: string): Refusal {
  return new Refusal(405, 'method_not_allowed', `This path accepts only ${allow}`, { headers: { Allow: allow } });
}

export function outsideScopes(route: Route, held: readonly Scope[]): Refusal {
  return new Refusal(403, 'scope_missing', scopeMissing(route, held));
}

export function outsideTool(name: string, needed: readonly Scope[], held: readonly Scope[]): Refusal {
  return outsideScopes({ method: 'post', path: `/${name}`, scopes: needed }, held);
}

/** Browsers tell the site that a request is from; a rebound name makes any site look like this server. */
export function foreignOrigin(): Refusal {
  return new Refusal(403, 'foreign_origin', 'Requests from web pages are accepted from localhost only');
}

export function mayNotExplain(held: readonly Scope[]): Refusal {
  return outsideScopes({ method: 'post', path: '/enhance_task?explain=true', scopes: [explainScope] }, held);
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(413, 'body_too_large', `The body must not exceed ${maxBytes} bytes when unpacked`);
}

export function tooManyChunks(maxChunks: number): Refusal {
  const message = `The body must not come in more than ${maxChunks} chunks; send larger ones or a Content-Length`;
  return new Refusal(413, 'too_many_chunks', message, { headers: { Connection: 'close' } });
}

export function tooManyLines(maxLines: number): Refusal {
  return new Refusal(413, 'too_many_lines', `A batch must not have more than ${maxLines} lines; send several`);
}

export function tooManyTraces(maxTraces: number): Refusal {
  return new Refusal(413, 'too_many_traces', `A request must not have more than ${maxTraces} traces; send several`);
}

export function unsupportedMediaType(alsoTakes?: 'lines' | 'protobuf'): Refusal {
  const type = alsoTakes === 'lines' ? 'application/x-ndjson' : 'application/json';
  const orElse = alsoTakes === 'protobuf' ? ', or protobuf, with Content-Type application/x-protobuf' : '';
  const message = `The body must be JSON in UTF-8, with Content-Type ${type}${orElse}`;
  return new Refusal(415, 'unsupported_media_type', message);
}

export function unsupportedEncoding(): Refusal {
  return new Refusal(415, 'unsupported_encoding', 'Send the body uncompressed or gzipped', {
    headers: { 'Accept-Encoding': 'gzip' },
  });
}

export function invalid(problems: Problem[]): Refusal {
  return new Refusal(422, 'invalid', 'The request does not validate', { problems: boundProblems(problems) });
}

export function stalled(stallMs: number): Refusal {
  const message = `No body data received for ${stallMs} ms`;
  return new Refusal(408, 'request_timeout', message, { headers: { Connection: 'close' } });
}

export function rateLimited(headers: Record<string, string>): Refusal {
  return new Refusal(
    429,
    'rate_limited',
    'The key has exceeded its request rate; retry after the time in Retry-After',
    {
      headers,
    },
  );
}

export function tooMuchWork(waitSeconds: number, headers: Record<string, string>): Refusal {
  const message = 'The key has exceeded its limit of bytes and processing time; retry after the time in Retry-After';
  return new Refusal(429, 'rate_limited', message, { headers: { ...headers, 'Retry-After': String(waitSeconds) } });
}

const soon = { headers: { 'Retry-After': '1' } };

export function tooMuchAtOnce(): Refusal {
  const message = 'The account sends too many large bodies at once; retry after the time in Retry-After';
  return new Refusal(429, 'rate_limited', message, soon);
}

export function overloaded(): Refusal {
  return new Refusal(
    503,
    'overloaded',
    'The server is busy with large bodies; retry after the time in Retry-After',
    soon,
  );
}
