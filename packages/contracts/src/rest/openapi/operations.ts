import { agentInputSchema } from '../agent-input.js';
import { agentKnowledgeUploadSchema } from '../agent-knowledge-upload.js';
import { deleteByIntentParameters } from '../delete-by-intent-query.js';
import { deleteResultSchema } from '../delete-result.js';
import { enhancedResponseSchema } from '../enhanced-response.js';
import { jobRecordSchema } from '../job-record.js';
import { serviceStatusSchema } from '../service-status.js';
import { storeAcknowledgementSchema } from '../store-acknowledgement.js';
import { failure, type RefusalStatus, refusal } from './error-responses.js';
import { exampleJobId, examples } from './examples.js';
import { jsonContent, type Response } from './response.js';

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
