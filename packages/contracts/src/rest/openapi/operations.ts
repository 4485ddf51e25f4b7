import type { Scope } from '../../messages/events.js';
import { batchResultSchema } from '../batch-result.js';
import { deleteByIntentParameters } from '../delete-by-intent-query.js';
import { eraseCollectionParameters, unconfirmed } from '../erase-collection-query.js';
import { enhanceTaskParameters } from '../explain.js';
import { knowledgeStatusParameters, longestWaitSeconds } from '../knowledge-status-query.js';
import { problem, tooGreat } from '../problems.js';
import { agentInputSchema, agentKnowledgeUploadSchema, tenantIdSchema } from '../requests.js';
import {
  deleteResultSchema,
  enhancedResponseSchema,
  eraseResultSchema,
  jobRecordSchema,
  serviceStatusSchema,
  storeAcknowledgementSchema,
  tracesAnswerSchema,
} from '../responses.js';
import { type OperationId, routes } from '../routes.js';
import { getUplift, getUsage, listAudit } from './activity-operations.js';
import {
  type Described,
  failure,
  jsonContent,
  links,
  optionalParameter,
  queryParameter,
  requestBody,
  responses,
} from './answers.js';
import { exampleJobId, examples } from './examples.js';
import { issueKey, listKeys, revokeKey } from './key-operations.js';
import {
  changeCollection,
  changeLesson,
  deleteLesson,
  getLesson,
  giveFeedback,
  listLessons,
  writeLesson,
} from './lesson-operations.js';
import { getRun, listCollections, listRuns } from './run-operations.js';

const getServiceStatus: Described = {
  tags: ['Service'],
  summary: 'Check that the service answers and the key is valid',
  answers: {
    success: [
      200,
      {
        description: 'The service is up and the key is valid',
        content: jsonContent(serviceStatusSchema, examples.serviceStatus),
      },
    ],
    refused: [401, 429, 503],
    failed: failure('internal_error', 'Internal server error'),
  },
};

const enhanceTask: Described = {
  tags: ['Knowledge'],
  summary: 'Before a task: get it back with recommendations from past runs',
  parameters: [queryParameter('explain', enhanceTaskParameters.explain, { example: false })],
  requestBody: requestBody(agentInputSchema, examples.agentInput),
  answers: {
    success: [
      200,
      {
        description: 'The input, unchanged and first, followed by the recommendations',
        content: jsonContent(enhancedResponseSchema, examples.enhancedResponse),
        ...links({
          giveFeedback: {
            requestBody: {
              tenant_id: '$request.body#/tenant_id',
              enhancement_id: '$response.body#/metadata/enhancement_id',
              success: true,
            },
          },
        }),
      },
    ],
    refused: [401, 'tenant_forbidden', 408, 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['body', 'input_text']),
      json_invalid: problem('json_invalid', ['body', 7]),
      bool_parsing: problem('bool_parsing', ['query', 'explain']),
    },
    failed: failure('enhance_failed', 'The task could not be enhanced'),
  },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a retried upload the same job: the same account, collection, key and body on one UTC day are one job. Another ' +
    'body under the same key is another job.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const storeKnowledge: Described = {
  tags: ['Knowledge'],
  summary: 'After a task: upload the run, to learn from it',
  description: 'Secrets in the upload are redacted before anything is stored. Learning happens in the background.',
  parameters: [idempotencyKey],
  requestBody: requestBody(agentKnowledgeUploadSchema, examples.agentKnowledgeUpload),
  answers: {
    success: [
      202,
      {
        description: 'The upload is durable',
        content: jsonContent(storeAcknowledgementSchema, examples.acknowledgement),
        ...links({
          getKnowledgeStatus: { parameters: { job_id: '$response.body#/job_id' } },
          getRun: { parameters: { job_id: '$response.body#/job_id', tenant_id: '$response.body#/tenant_id' } },
        }),
      },
    ],
    refused: [401, 'tenant_forbidden', 408, 'too_many_collections', 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['body', 'turns', 0, 'decision']),
      json_invalid: problem('json_invalid', ['body', 7]),
    },
    failed: failure('queueing_failed', 'The upload could not be queued'),
  },
};

const storeKnowledgeBatch: Described = {
  tags: ['Knowledge'],
  summary: 'After many tasks: upload their runs in one request',
  description:
    'One upload of `POST /store_knowledge` in each line, as NDJSON; up to 32 MiB when unpacked and 20,000 lines, unless the ' +
    'operators set another size. Blank lines are skipped. The answer has one result for each line, in order, and every ' +
    'accepted line is durable before it. A bad line does not affect the others. Lines that say `failed` can be sent again. ' +
    'If the whole request fails: after 4xx or 503 nothing was accepted; after 500 nothing was queued, or the result is ' +
    'unknown.\n\n' +
    'A batch counts as one request. Its bytes, the time to read them and 4 KiB for each line count towards the limit of ' +
    'work. The response comes once every line has its result; wait for it before sending the next batch.',
  parameters: [
    {
      ...idempotencyKey,
      description:
        'Applies to each line together with its content: the same line under the same key on one UTC day is the same ' +
        'job, in whichever batch it comes.',
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/x-ndjson': {
        schema: {
          type: 'string',
          format: 'binary',
          pattern: '\\S',
          description: 'In each line the JSON of an AgentKnowledgeUpload.',
        },
        examples: { two_runs: { value: examples.batch.two_runs } },
      },
    },
  },
  answers: {
    success: [
      200,
      {
        description: 'The result of each line',
        headers: {
          'Retry-After': {
            description: 'If lines failed: seconds to wait before sending them again.',
            schema: { type: 'integer' },
          },
        },
        content: jsonContent(batchResultSchema, examples.batchResult),
      },
    ],
    refused: [401, 408, 413, 415, 429, 503],
    invalid: { missing: problem('missing', ['body']), json_invalid: problem('json_invalid', ['body', 0]) },
    failed: failure('queueing_failed', 'The uploads could not be queued'),
  },
};

/** The answer is encoded like the request. */
const protobuf = { 'application/x-protobuf': { schema: { type: 'string', format: 'binary' } } };

const storeTraces: Described = {
  tags: ['Knowledge'],
  summary: 'Upload runs as OpenTelemetry traces',
  description:
    'OTLP over HTTP, as protobuf or JSON, up to 16 MiB when unpacked and 20,000 traces, unless the operators set another size. Reads the ' +
    'semantic conventions for generative AI and OpenInference; other spans are ignored. Every accepted span is durable ' +
    'before the answer. A trace becomes one upload a few seconds after its root span arrives, or once no more spans ' +
    'arrive, however often and in whatever order its spans were sent.',
  parameters: [
    {
      name: 'x-whetstone-tenant',
      in: 'header',
      description: 'The collection. If absent or empty, the resource attribute `whetstone.tenant_id` names it.',
      schema: { type: 'string', maxLength: tenantIdSchema.maxLength },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { title: 'ExportTraceServiceRequest', type: 'object', additionalProperties: true },
        examples: { one_run: { value: examples.traces.one_run } },
      },
      ...protobuf,
    },
  },
  answers: {
    success: [
      200,
      {
        description: 'All spans are stored, except those reported in `partialSuccess`',
        content: { ...jsonContent(tracesAnswerSchema, examples.tracesAnswer), ...protobuf },
      },
    ],
    refused: [401, 'tenant_forbidden', 408, 'too_many_collections', 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['header', 'x-whetstone-tenant']),
      json_invalid: problem('json_invalid', ['body', 0]),
    },
    failed: failure('queueing_failed', 'The spans could not be queued'),
  },
};

const deleteByIntent: Described = {
  tags: ['Knowledge'],
  summary: 'Delete what was learned about a kind of task',
  description:
    'Deletes every insight of the collection whose intent is similar enough, including those of uploads that were ' +
    'accepted earlier and are still being processed. Use `dry_run=true` first to see what would be deleted and how much ' +
    'would stay. A later deletion of the same intent with the same or a lower threshold replaces an earlier one.',
  parameters: [
    queryParameter('tenant_id', deleteByIntentParameters.tenant_id, { required: true, example: 'ops-bot' }),
    queryParameter('intent', deleteByIntentParameters.intent, { required: true, example: 'Delete large log files' }),
    optionalParameter('similarity_threshold', deleteByIntentParameters.similarity_threshold, { example: 0.8 }),
    queryParameter('dry_run', deleteByIntentParameters.dry_run, { example: true }),
  ],
  answers: {
    success: [
      200,
      { description: 'How many were deleted', content: jsonContent(deleteResultSchema, examples.deleteResult) },
    ],
    refused: [401, 'tenant_forbidden', 'too_many_deletions', 429, 503],
    invalid: {
      missing: problem('missing', ['query', 'intent']),
      out_of_range: tooGreat(['query', 'similarity_threshold'], 1),
    },
    failed: failure('delete_failed', 'The deletion did not finish; some insights may have been deleted'),
  },
};

const eraseCollection: Described = {
  tags: ['Knowledge'],
  summary: 'Erase everything in a collection',
  description:
    'Deletes all insights, runs and votes of uploads that were accepted until now. Those still being processed end with ' +
    'outcome `deleted`. Later uploads are kept. There is no undo.',
  parameters: [
    queryParameter('tenant_id', eraseCollectionParameters.tenant_id, { required: true, example: 'ops-bot' }),
    queryParameter('confirm', eraseCollectionParameters.confirm, { required: true, example: 'ops-bot' }),
  ],
  answers: {
    success: [
      200,
      { description: 'How many insights were deleted', content: jsonContent(eraseResultSchema, examples.eraseResult) },
    ],
    refused: [401, 'tenant_forbidden', 'too_many_deletions', 429, 503],
    invalid: { missing: problem('missing', ['query', 'confirm']), unconfirmed },
    failed: failure('delete_failed', 'The deletion did not finish; some insights may have been deleted'),
  },
};

const jobId = {
  name: 'job_id',
  in: 'path',
  required: true,
  description: 'The `job_id` that `POST /store_knowledge` returned.',
  schema: { type: 'string' },
  example: exampleJobId,
};

const getKnowledgeStatus: Described = {
  tags: ['Knowledge'],
  summary: "Get the status of an upload's job",
  description:
    'With `wait` the answer comes when the job ends. A key may have 500 calls waiting at each replica; further ones are ' +
    'answered at once. A waiting call counts as one request.',
  parameters: [jobId, queryParameter('wait', knowledgeStatusParameters.wait, { example: 20 })],
  answers: {
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
    refused: [401, 'job_not_found', 429, 503],
    invalid: {
      string_unicode: problem('string_unicode', ['path', 'job_id']),
      out_of_range: tooGreat(['query', 'wait'], longestWaitSeconds),
    },
    failed: failure('status_failed', 'The job could not be looked up'),
  },
};

const operations: Record<OperationId, Described> = {
  getServiceStatus,
  enhanceTask,
  storeKnowledge,
  storeKnowledgeBatch,
  storeTraces,
  deleteByIntent,
  eraseCollection,
  listCollections,
  changeCollection,
  getKnowledgeStatus,
  giveFeedback,
  listRuns,
  getRun,
  listLessons,
  writeLesson,
  getLesson,
  changeLesson,
  deleteLesson,
  listKeys,
  issueKey,
  revokeKey,
  listAudit,
  getUsage,
  getUplift,
};

/** The operations by path and method, in the order of the routes. */
export function describePaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    const { method, path, scopes } = route;
    const { answers, tags, summary, description, ...described } = operations[operationId as OperationId];
    const operation = {
      operationId,
      tags,
      summary,
      description: [description, scopeNote(scopes)].filter(Boolean).join('\n\n'),
      'x-whetstone-scopes': scopes,
      ...described,
      responses: responses(answers, route),
    };
    paths[path] = { ...paths[path], [method]: operation };
  }
  return paths;
}

function scopeNote(scopes: readonly Scope[]): string {
  if (scopes.length === 0) return 'Any valid key may call it.';
  return `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}
