import { deleteByIntentParameters } from '../delete-by-intent-query.js';
import { eraseCollectionParameters, unconfirmed } from '../erase-collection-query.js';
import { type Problem, problem, tooGreat } from '../problems.js';
import { agentInputSchema, agentKnowledgeUploadSchema } from '../requests.js';
import {
  deleteResultSchema,
  enhancedResponseSchema,
  eraseResultSchema,
  errorSchema,
  httpValidationErrorSchema,
  jobRecordSchema,
  serviceStatusSchema,
  storeAcknowledgementSchema,
} from '../responses.js';
import { exampleJobId, examples } from './examples.js';

interface Response {
  description: string;
  headers?: Record<string, object>;
  content: object;
}

/** A JSON body with its schema and examples by name. */
function jsonContent(schema: object, examples: Record<string, unknown>): object {
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
    description: 'The key is missing, malformed, unknown or revoked',
    content: jsonContent(errorSchema, {
      invalid: told('invalid_api_key', 'The provided API key is invalid or has been revoked'),
      missing: {
        ...told('invalid_api_key', 'The provided API key is invalid or has been revoked'),
        hint: 'No API key was sent. Send it in the x-api-key header.',
      },
    }),
  },
  403: {
    description: 'The `tenant_id` is a key of another account',
    content: jsonContent(errorSchema, {
      tenant_forbidden: told(
        'tenant_forbidden',
        'The tenant_id looks like an API key but is not a key of your account',
      ),
    }),
  },
  404: {
    description: 'No such job in this account, or its record has expired',
    content: jsonContent(errorSchema, { job_not_found: told('job_not_found', 'No such job in this account') }),
  },
  408: {
    description: 'The body stopped arriving, or took too long',
    content: jsonContent(errorSchema, {
      request_timeout: told('request_timeout', 'Nothing of the body arrived for 10000 ms'),
    }),
  },
  409: {
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
  413: {
    description: 'The body is over the size limit. For a gzipped body the unpacked size counts',
    content: jsonContent(errorSchema, {
      body_too_large: told('body_too_large', 'The body must not exceed 4194304 bytes when unpacked'),
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
    description: 'The key has exceeded its rate of requests or of work, or the account sends too much at once',
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

/** The 422 of an operation, with problems that it can have. */
function invalid(named: Record<string, Problem>): Response {
  const bodies = Object.entries(named).map(([name, one]) => [name, { detail: [one] }]);
  return {
    description: 'The body, query or path is invalid. Lists every problem at once',
    content: jsonContent(httpValidationErrorSchema, Object.fromEntries(bodies)),
  };
}

/** The 500 of an operation. */
function failure(error: string, message: string): Response {
  return {
    description: `${message}. Has \`Retry-After\` if retrying may help`,
    headers: retryAfter,
    content: jsonContent(errorSchema, { [error]: told(error, message) }),
  };
}

interface Answers {
  success: [status: number, response: Response];
  refused: (keyof typeof refusals)[];
  invalid?: Record<string, Problem>;
  failed: Response;
}

function responses({ success, refused, invalid: problems, failed }: Answers): object {
  return Object.fromEntries([
    success,
    ...refused.map((status) => [status, refusals[status]]),
    ...(problems ? [[422, invalid(problems)]] : []),
    [500, failed],
  ]);
}

function requestBody(schema: object, named: Record<string, unknown>): object {
  return { required: true, content: jsonContent(schema, named) };
}

/** The description belongs to the parameter: there viewers and generators show it. */
function queryParameter(name: string, { description, ...schema }: { description: string }, more: object): object {
  return { name, in: 'query', description, ...more, schema };
}

const serviceStatus = {
  operationId: 'getServiceStatus',
  tags: ['Service'],
  summary: 'Check that the service answers and the key is valid',
  responses: responses({
    success: [200, { description: 'Both', content: jsonContent(serviceStatusSchema, examples.serviceStatus) }],
    refused: [401, 429, 503],
    failed: failure('internal_error', 'Internal server error'),
  }),
};

const enhanceTask = {
  operationId: 'enhanceTask',
  tags: ['Knowledge'],
  summary: 'Before a task: get it back with recommendations from past runs',
  requestBody: requestBody(agentInputSchema, examples.agentInput),
  responses: responses({
    success: [
      200,
      {
        description: 'The input, unchanged and first, followed by the recommendations',
        content: jsonContent(enhancedResponseSchema, examples.enhancedResponse),
      },
    ],
    refused: [401, 403, 408, 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['body', 'input_text']),
      json_invalid: problem('json_invalid', ['body', 7]),
    },
    failed: failure('enhance_failed', 'The task could not be enhanced'),
  }),
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a retried upload the same job: the same account, collection, key and body on one UTC day are one job. Another ' +
    'body under the same key is another job.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const storeKnowledge = {
  operationId: 'storeKnowledge',
  tags: ['Knowledge'],
  summary: 'After a task: upload the run, to learn from it',
  description: 'Secrets in the upload are redacted before anything is stored. Learning happens in the background.',
  parameters: [idempotencyKey],
  requestBody: requestBody(agentKnowledgeUploadSchema, examples.agentKnowledgeUpload),
  responses: responses({
    success: [
      202,
      {
        description: 'The upload is durable',
        content: jsonContent(storeAcknowledgementSchema, examples.acknowledgement),
      },
    ],
    refused: [401, 403, 408, 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['body', 'turns', 0, 'decision']),
      json_invalid: problem('json_invalid', ['body', 7]),
    },
    failed: failure('queueing_failed', 'The upload could not be queued'),
  }),
};

const deleteByIntent = {
  operationId: 'deleteByIntent',
  tags: ['Knowledge'],
  summary: 'Delete what was learned about a kind of task',
  description:
    'Deletes every insight of the collection whose intent is similar enough, including those of uploads that were ' +
    'accepted earlier and are still being processed. Use `dry_run=true` first to see what would be deleted and how much ' +
    'would stay. A later deletion of the same intent with the same or a lower threshold replaces an earlier one.',
  parameters: [
    queryParameter('tenant_id', deleteByIntentParameters.tenant_id, { required: true, example: 'ops-bot' }),
    queryParameter('intent', deleteByIntentParameters.intent, { required: true, example: 'Delete large log files' }),
    queryParameter('similarity_threshold', deleteByIntentParameters.similarity_threshold, { example: 0.8 }),
    queryParameter('dry_run', deleteByIntentParameters.dry_run, { example: true }),
  ],
  responses: responses({
    success: [
      200,
      { description: 'How many were deleted', content: jsonContent(deleteResultSchema, examples.deleteResult) },
    ],
    refused: [401, 403, 409, 429, 503],
    invalid: {
      missing: problem('missing', ['query', 'intent']),
      out_of_range: tooGreat(['query', 'similarity_threshold'], 1),
    },
    failed: failure('delete_failed', 'The deletion did not finish; some insights may have been deleted'),
  }),
};

const eraseCollection = {
  operationId: 'eraseCollection',
  tags: ['Knowledge'],
  summary: 'Erase everything in a collection',
  description:
    'Deletes all insights, runs and votes of uploads that were accepted until now. Those still being processed end with ' +
    'outcome `deleted`. Later uploads are kept. There is no undo.',
  parameters: [
    queryParameter('tenant_id', eraseCollectionParameters.tenant_id, { required: true, example: 'ops-bot' }),
    queryParameter('confirm', eraseCollectionParameters.confirm, { required: true, example: 'ops-bot' }),
  ],
  responses: responses({
    success: [
      200,
      { description: 'How many insights were deleted', content: jsonContent(eraseResultSchema, examples.eraseResult) },
    ],
    refused: [401, 403, 409, 429, 503],
    invalid: { missing: problem('missing', ['query', 'confirm']), unconfirmed },
    failed: failure('delete_failed', 'The deletion did not finish; some insights may have been deleted'),
  }),
};

const jobId = {
  name: 'job_id',
  in: 'path',
  required: true,
  description: 'The `job_id` that `POST /store_knowledge` returned.',
  schema: { type: 'string' },
  example: exampleJobId,
};

const knowledgeStatus = {
  operationId: 'getKnowledgeStatus',
  tags: ['Knowledge'],
  summary: "Get the status of an upload's job",
  parameters: [jobId],
  responses: responses({
    success: [
      200,
      {
        description: 'The job record',
        headers: {
          'Retry-After': {
            description: 'While the job is processing: seconds to wait before polling again.',
            schema: { type: 'integer' },
          },
        },
        content: jsonContent(jobRecordSchema, examples.jobRecord),
      },
    ],
    refused: [401, 404, 429, 503],
    invalid: { string_unicode: problem('string_unicode', ['path', 'job_id']) },
    failed: failure('status_failed', 'The job could not be looked up'),
  }),
};

export const paths = {
  '/': { get: serviceStatus },
  '/enhance_task': { post: enhanceTask },
  '/store_knowledge': { post: storeKnowledge },
  '/delete_by_intent': { post: deleteByIntent },
  '/collections': { delete: eraseCollection },
  '/knowledge_status/{job_id}': { get: knowledgeStatus },
};
