import { maxProblems, type Problem } from '@whetstone/contracts';

export interface RefusalOptions {
  headers?: Record<string, string>;
  /** The problems of a 422. */
  problems?: Problem[];
  cause?: unknown;
}

/** A request that the edge itself turns away. The domain throws AppErrors; both become answers in `error-answer`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** What programs go by. */
  readonly error: string;
  readonly headers: Record<string, string>;
  readonly problems: Problem[];

  constructor(status: number, error: string, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.error = error;
    this.headers = options.headers ?? {};
    this.problems = options.problems ?? [];
  }
}

/** Missing, malformed, unknown and revoked keys are one case: nothing in the answer tells them apart. */
export function invalidApiKey(): Refusal {
  return new Refusal(401, 'invalid_api_key', 'The provided API key is invalid or has been revoked');
}

export function notFound(): Refusal {
  return new Refusal(404, 'not_found', 'There is nothing at this path');
}

export function methodNotAllowed(allow: string): Refusal {
  return new Refusal(405, 'method_not_allowed', `This path takes ${allow} only`, { headers: { Allow: allow } });
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(413, 'body_too_large', `The body may have at most ${maxBytes} bytes, unpacked`);
}

export function unsupportedMediaType(): Refusal {
  return new Refusal(415, 'unsupported_media_type', 'The body must be JSON: Content-Type application/json, in UTF-8');
}

export function unsupportedEncoding(): Refusal {
  return new Refusal(415, 'unsupported_encoding', 'The body may be sent as it is or gzipped', {
    headers: { 'Accept-Encoding': 'gzip' },
  });
}

export function invalid(problems: Problem[]): Refusal {
  return new Refusal(422, 'invalid', 'The request does not validate', { problems: problems.slice(0, maxProblems) });
}

export function rateLimited(headers: Record<string, string>): Refusal {
  return new Refusal(429, 'rate_limited', 'This key makes more requests than its rate allows; try again later', {
    headers,
  });
}
