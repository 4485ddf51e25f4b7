import { scopes } from '../../messages/events.js';
import type { Problem } from '../problems.js';
import { errorSchema, httpValidationErrorSchema } from '../responses.js';
import { type OperationId, type Route, scopeMissing } from '../routes.js';

interface Response {
  description: string;
  headers?: Record<string, object>;
  content: object;
  links?: Record<string, object>;
}

/** Operations that take what an answer holds, by their names. */
export function links(taken: { [Name in OperationId]?: { parameters?: object; requestBody?: object } }): {
  links: Record<string, object>;
} {
  const named = Object.entries(taken).map(([operationId, values]) => [operationId, { operationId, ...values }]);
  return { links: Object.fromEntries(named) };
}

/** A JSON body with its schema and examples by name. */
export function jsonContent(schema: object, examples: Record<string, unknown>): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema, examples: Object.fromEntries(named) } };
}

const requestId = '5f0c8d0e-1b1f-4c35-9a55-2f8f7c1c2a10';

function told(error: string, message: string) {
  return { error, message, request_id: requestId };
}

const retryAfter = { 'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } } };
const rateLimit = {
  RateLimit: {
    description: 'Requests left (`r`) and seconds until there are more (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Requests allowed (`q`) per window of seconds (`w`).',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'The largest burst.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until there are more.', schema: { type: 'integer' } },
};

const refusals = {
  401: {
    description: 'The key is missing, malformed, unknown, expired or revoked, or two different keys were sent',
    headers: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
    content: jsonContent(errorSchema, {
      invalid: told('invalid_api_key', 'The provided API key is invalid or has been revoked'),
      missing: {
        ...told('invalid_api_key', 'The provided API key is invalid or has been revoked'),
        hint: 'No API key was sent. Send it in the x-api-key header or as Authorization: Bearer.',
      },
    }),
  },
  408: {
    description: 'The client stopped sending the body, or sent it too slowly',
    content: jsonContent(errorSchema, {
      request_timeout: told('request_timeout', 'No body data received for 10000 ms'),
    }),
  },
  413: {
    description:
      'The body is over the size limit (for a gzipped body the unpacked size counts), or comes in too many chunks',
    content: jsonContent(errorSchema, {
      body_too_large: told('body_too_large', 'The body must not exceed 4194304 bytes when unpacked'),
      too_many_chunks: told(
        'too_many_chunks',
        'The body must not come in more than 16384 chunks; send larger ones or a Content-Length',
      ),
    }),
  },
  415: {
    description: 'The body is not JSON, or has a content encoding other than gzip',
    content: jsonContent(errorSchema, {
      unsupported_media_type: told(
        'unsupported_media_type',
        'The body must be JSON in UTF-8, with Content-Type application/json',
      ),
      unsupported_encoding: told('unsupported_encoding', 'Send the body uncompressed or gzipped'),
    }),
  },
  429: {
    description: 'The key exceeded its request or work limit, or the account has too much in flight',
    headers: { ...retryAfter, ...rateLimit },
    content: jsonContent(errorSchema, {
      rate_limited: told('rate_limited', 'The key has exceeded its request rate; retry after the time in Retry-After'),
    }),
  },
  503: {
    description: 'The server is busy with large bodies, or too many connections are open',
    headers: retryAfter,
    content: jsonContent(errorSchema, {
      overloaded: told('overloaded', 'The server is busy with large bodies; retry after the time in Retry-After'),
      too_many_connections: told(
        'too_many_connections',
        'Too many connections are open; retry after the time in Retry-After',
      ),
    }),
  },
} satisfies Record<number, Response>;

/** Those of one operation or two, with their status. */
const ownRefusals = {
  job_not_found: {
    status: 404,
    description: 'No such job in this account, or its record has expired',
    content: jsonContent(errorSchema, { job_not_found: told('job_not_found', 'No such job in this account') }),
  },
  key_not_found: {
    status: 404,
    description: 'No such key in this account',
    content: jsonContent(errorSchema, { key_not_found: told('key_not_found', 'No such key in this account') }),
  },
  lesson_not_found: {
    status: 404,
    description: 'No such lesson in this collection',
    content: jsonContent(errorSchema, {
      lesson_not_found: told('lesson_not_found', 'No such lesson in this collection'),
    }),
  },
  answer_not_found: {
    status: 404,
    description: 'The `enhancement_id` does not belong to this collection',
    content: jsonContent(errorSchema, {
      answer_not_found: told('answer_not_found', 'No such answer in this collection'),
    }),
  },
  too_many_collections: {
    status: 409,
    description: 'The account has reached its collection limit',
    content: jsonContent(errorSchema, {
      too_many_collections: told('too_many_collections', 'The account has 200 collections, the most that is allowed'),
    }),
  },
  too_many_deletions: {
    status: 409,
    description:
      'Too many deletions are remembered, in the collection or in the whole account. Each is remembered for 40 days, ' +
      'because uploads that were accepted earlier may still be processed',
    content: jsonContent(errorSchema, {
      too_many_deletions: told(
        'too_many_deletions',
        'The collection remembers 1000 deletions, the most that is allowed. Erase the collection, repeat an earlier ' +
          'intent with the same or a lower similarity_threshold, or wait: each is remembered for 40 days',
      ),
    }),
  },
  too_many_keys: {
    status: 409,
    description: 'The account has as many keys as may be issued over REST, counting expired and revoked ones',
    content: jsonContent(errorSchema, {
      too_many_keys: told('too_many_keys', 'The account has 10000 keys, the most that can be issued over REST'),
    }),
  },
  own_key: {
    status: 409,
    description: 'The key to revoke is the one that makes the call',
    content: jsonContent(errorSchema, {
      own_key: told('own_key', 'A key cannot revoke itself: use another admin key, or ask the operators'),
    }),
  },
} satisfies Record<string, Response & { status: number }>;

/** The 403 of an operation, if it can have one. */
function forbidden(route: Route, tenant: boolean): [403, Response][] {
  const needs = route.scopes.length > 0;
  if (!needs && !tenant) return [];
  const other = scopes.filter((scope) => !route.scopes.includes(scope)).slice(0, 1);
  return [
    [
      403,
      {
        description: [
          ...(needs ? ['The key has none of the scopes that the operation needs'] : []),
          ...(tenant ? ['The `tenant_id` is a key of another account'] : []),
        ].join(', or: '),
        content: jsonContent(errorSchema, {
          ...(needs ? { scope_missing: told('scope_missing', scopeMissing(route, other)) } : {}),
          ...(tenant ? { tenant_forbidden: told('tenant_forbidden', foreignTenant) } : {}),
        }),
      },
    ],
  ];
}

const foreignTenant = 'The tenant_id looks like an API key but is not a key of your account';

/** The 422 of an operation, with problems that it can have. */
function invalid(named: Record<string, Problem>): Response {
  const bodies = Object.entries(named).map(([name, one]) => [name, { detail: [one] }]);
  return {
    description: 'The body, query or path is invalid. Lists every problem at once',
    content: jsonContent(httpValidationErrorSchema, Object.fromEntries(bodies)),
  };
}

/** The 500 of an operation. */
export function failure(error: string, message: string): Response {
  return {
    description: `${message}. Has \`Retry-After\` if retrying may help`,
    headers: retryAfter,
    content: jsonContent(errorSchema, { [error]: told(error, message) }),
  };
}

/** What the document says about an operation besides its route. */
export interface Described {
  tags: ['Keys' | 'Knowledge' | 'Lessons' | 'Runs' | 'Service'];
  summary: string;
  description?: string;
  parameters?: object[];
  requestBody?: object;
  answers: Answers;
}

interface Answers {
  success: [status: number, response: Response];
  refused: (keyof typeof refusals | keyof typeof ownRefusals | 'tenant_forbidden')[];
  invalid?: Record<string, Problem>;
  failed: Response;
}

export function responses({ success, refused, invalid: problems, failed }: Answers, route: Route): object {
  return Object.fromEntries([
    success,
    ...forbidden(route, refused.includes('tenant_forbidden')),
    ...refused.flatMap((refusal) => refusalOf(refusal)),
    ...(problems ? [[422, invalid(problems)]] : []),
    [500, failed],
  ]);
}

function refusalOf(refusal: Answers['refused'][number]): [number, Response][] {
  if (refusal === 'tenant_forbidden') return [];
  if (typeof refusal === 'number') return [[refusal, refusals[refusal]]];
  const { status, ...response } = ownRefusals[refusal];
  return [[status, response]];
}

export function requestBody(schema: object, named: Record<string, unknown>): object {
  return { required: true, content: jsonContent(schema, named) };
}

/** The description belongs to the parameter: there viewers and generators show it. */
export function queryParameter(
  name: string,
  { description, ...schema }: { description: string },
  more: object,
): object {
  return { name, in: 'query', description, ...more, schema };
}

/** An empty one counts as absent. */
export function optionalParameter(name: string, described: { description: string }, more: object): object {
  return queryParameter(name, described, { ...more, allowEmptyValue: true });
}
