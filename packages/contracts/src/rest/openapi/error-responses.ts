import { errorSchema, refusalSchema, validationErrorSchema } from '../errors.js';
import { problem } from '../problems.js';
import { jsonContent, type Response } from './response.js';

const requestId = '5f0c8d0e-1b1f-4c35-9a55-2f8f7c1c2a10';

function told(error: string, message: string) {
  return { error, message, request_id: requestId };
}

const retryAfter = { 'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } } };
const rateLimit = {
  RateLimit: {
    description: 'What is left of the rate (`r`), and seconds until more (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'Requests (`q`) in seconds (`w`).', schema: { type: 'string' } },
  'RateLimit-Limit': { schema: { type: 'integer' } },
  'RateLimit-Remaining': { schema: { type: 'integer' } },
  'RateLimit-Reset': { schema: { type: 'integer' } },
};

const refusals = {
  401: {
    description: 'The key is missing, malformed, unknown or revoked',
    content: jsonContent(refusalSchema, {
      invalid_api_key: {
        error: 'invalid_api_key',
        message: 'The provided API key is invalid or has been revoked',
      },
    }),
  },
  403: {
    description: 'The `tenant_id` is a key of another account',
    content: jsonContent(refusalSchema, {
      tenant_forbidden: {
        error: 'tenant_forbidden',
        message: 'The tenant_id is a key that does not belong to the account of the caller',
      },
    }),
  },
  404: {
    description: 'No job of this account has this id, or its record is past retention',
    content: jsonContent(errorSchema, { job_not_found: told('job_not_found', 'No job of this account has this id') }),
  },
  413: {
    description: 'The body is over the limit; what counts is what comes out of a gzipped one',
    content: jsonContent(errorSchema, {
      body_too_large: told('body_too_large', 'The body may have at most 4194304 bytes, unpacked'),
    }),
  },
  415: {
    description: 'The body is not JSON, or packed in another way than gzip',
    content: jsonContent(errorSchema, {
      unsupported_media_type: told(
        'unsupported_media_type',
        'The body must be JSON: Content-Type application/json, in UTF-8',
      ),
      unsupported_encoding: told('unsupported_encoding', 'The body may be sent as it is or gzipped'),
    }),
  },
  422: {
    description: 'Body, query or path does not validate',
    content: jsonContent(validationErrorSchema, {
      missing: { detail: [problem('missing', ['body', 'turns', 0, 'decision'])] },
      json_invalid: { detail: [problem('json_invalid', ['body', 7])] },
      query: { detail: [problem('missing', ['query', 'intent'])] },
      path: { detail: [problem('string_unicode', ['path', 'job_id'])] },
    }),
  },
  429: {
    description: 'Over the rate of the key',
    headers: { ...retryAfter, ...rateLimit },
    content: jsonContent(errorSchema, {
      rate_limited: told('rate_limited', 'This key makes more requests than its rate allows; try again later'),
    }),
  },
} satisfies Record<number, Response>;

export type RefusalStatus = keyof typeof refusals;

export function refusal(status: RefusalStatus): Response {
  return refusals[status];
}

/** The 500 of an operation. */
export function failure(error: string, message: string): Response {
  return {
    description: `${message}. With Retry-After where trying again makes sense`,
    headers: retryAfter,
    content: jsonContent(errorSchema, { [error]: told(error, message) }),
  };
}
