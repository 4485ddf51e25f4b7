import { deleteByIntentParameters } from '../delete-by-intent-query.js';
import { problem } from '../problems.js';
import { agentInputSchema, agentKnowledgeUploadSchema } from '../requests.js';
import {
  deleteResultSchema,
  enhancedResponseSchema,
  errorSchema,
  jobRecordSchema,
  refusalSchema,
  serviceStatusSchema,
  storeAcknowledgementSchema,
  validationErrorSchema,
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

type RefusalStatus = keyof typeof refusals;

function refusal(status: RefusalStatus): Response {
  return refusals[status];
}

/** The 500 of an operation. */
function failure(error: string, message: string): Response {
  return {
    description: `${message}. With Retry-After where trying again makes sense`,
    headers: retryAfter,
    content: jsonContent(errorSchema, { [error]: told(error, message) }),
  };
}

function responses(status: number, success: Response, refused: RefusalStatus[], failed: Response): object {
  const refusals = refused.map((code): [number, Response] => [code, refusal(code)]);
  return Object.fromEntries([[status, success], ...refusals, [500, failed]]);
}

function requestBody(schema: object, named: Record<string, unknown>): object {
  return { required: true, content: jsonContent(schema, named) };
}

function parameter(name: string, schema: object, more: object): object {
  return { name, in: 'query', schema, ...more };
}

const serviceStatus = {
  operationId: 'getServiceStatus',
  tags: ['Service'],
  summary: 'Whether the service answers and the key counts',
  responses: responses(
    200,
    { description: 'It does', content: jsonContent(serviceStatusSchema, examples.serviceStatus) },
    [401, 429],
    failure('internal_error', 'Something went wrong here'),
  ),
};

const enhanceTask = {
  operationId: 'enhanceTask',
  tags: ['Knowledge'],
  summary: 'A task, enhanced with what past runs have taught',
  requestBody: requestBody(agentInputSchema, examples.agentInput),
  responses: responses(
    200,
    {
      description: 'The input, whole and first, then the recommendations',
      content: jsonContent(enhancedResponseSchema, examples.enhancedResponse),
    },
    [401, 403, 413, 415, 422, 429],
    failure('enhance_failed', 'The task could not be enhanced'),
  ),
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a retried upload the same job: same account, collection, key and body on one UTC day are one job. Another body ' +
    'under the same key is another job.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const storeKnowledge = {
  operationId: 'storeKnowledge',
  tags: ['Knowledge'],
  summary: 'Upload an interaction to learn from',
  description: 'Secrets in the upload are redacted before anything is stored. The work is done in the background.',
  parameters: [idempotencyKey],
  requestBody: requestBody(agentKnowledgeUploadSchema, examples.agentKnowledgeUpload),
  responses: responses(
    202,
    {
      description: 'The upload is durable',
      content: jsonContent(storeAcknowledgementSchema, examples.acknowledgement),
    },
    [401, 403, 413, 415, 422, 429],
    failure('queueing_failed', 'The upload could not be queued'),
  ),
};

const deleteByIntent = {
  operationId: 'deleteByIntent',
  tags: ['Knowledge'],
  summary: 'Delete what was learnt about a kind of task',
  description:
    'Every insight of the collection whose intent is similar enough goes, also what was accepted and not processed yet.',
  parameters: [
    parameter('tenant_id', deleteByIntentParameters.tenant_id, { required: true, example: 'ops-bot' }),
    parameter('intent', deleteByIntentParameters.intent, { required: true, example: 'Delete large log files' }),
    parameter('similarity_threshold', deleteByIntentParameters.similarity_threshold, { example: 0.8 }),
    parameter('dry_run', deleteByIntentParameters.dry_run, { example: true }),
  ],
  responses: responses(
    200,
    { description: 'How much went', content: jsonContent(deleteResultSchema, examples.deleteResult) },
    [401, 403, 422, 429],
    failure('delete_failed', 'The deletion did not end; part of it may have been done'),
  ),
};

const knowledgeStatus = {
  operationId: 'getKnowledgeStatus',
  tags: ['Knowledge'],
  summary: 'How far the job of an upload is',
  parameters: [{ name: 'job_id', in: 'path', required: true, schema: { type: 'string' }, example: exampleJobId }],
  responses: responses(
    200,
    {
      description: 'The record of the job',
      headers: {
        'Retry-After': {
          description: 'While the job is processing: seconds after which to ask again.',
          schema: { type: 'integer' },
        },
      },
      content: jsonContent(jobRecordSchema, examples.jobRecord),
    },
    [401, 404, 422, 429],
    failure('status_failed', 'The job could not be looked up'),
  ),
};

export const paths = {
  '/': { get: serviceStatus },
  '/enhance_task': { post: enhanceTask },
  '/store_knowledge': { post: storeKnowledge },
  '/delete_by_intent': { post: deleteByIntent },
  '/knowledge_status/{job_id}': { get: knowledgeStatus },
};
