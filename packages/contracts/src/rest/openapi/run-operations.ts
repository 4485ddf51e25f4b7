import { type CollectionList, collectionListSchema, listCollectionsParameters } from '../collection-settings.js';
import { notOneOf, problem, tooGreat } from '../problems.js';
import { noSuchCursor, pageLimits } from '../query-parameters.js';
import { listRunsParameters, type RunAnswer, type RunDetails, runDetailsSchema, runListSchema } from '../runs.js';
import { type Described, failure, jsonContent, optionalParameter, queryParameter } from './answers.js';
import { exampleJobId } from './examples.js';
import { exampleLessonId } from './lesson-examples.js';

const run: RunAnswer = {
  job_id: exampleJobId,
  accepted_at: '2026-03-05T18:15:37.903173',
  status: 'completed',
  query: 'Find all .log files larger than 10 MB under /var and delete them',
  agent_type: 'shell',
  success: true,
  lessons: 1,
};
const details: RunDetails = {
  ...run,
  timeline: [
    { event: 'accepted', at: '2026-03-05T18:15:37.903173' },
    { event: 'started', at: '2026-03-05T18:15:37.951020' },
    { event: 'learnt', at: '2026-03-05T18:15:37.963348' },
    { event: 'stored', at: '2026-03-05T18:15:38.002911' },
  ],
  trail: [
    { action: 'ls /var/*.log | xargs rm', outcome: 'failed' },
    { action: "find /var -name '*.log' -size +10M -delete", outcome: 'ok' },
  ],
  lessons: [{ id: exampleLessonId, title: 'What worked: find' }],
  reason: null,
};
const collections: CollectionList = {
  collections: [
    {
      tenant_id: 'ops-bot',
      default: false,
      insights: 212,
      runs: 1830,
      last_upload_at: '2026-03-09T08:02:11.000482',
      review: 'required',
      holdout_share: 0.1,
      retention_days: null,
    },
    {
      tenant_id: null,
      default: true,
      insights: 3,
      runs: 0,
      last_upload_at: null,
      review: 'none',
      holdout_share: null,
      retention_days: null,
    },
  ],
  next_cursor: null,
};

const tenant = queryParameter('tenant_id', listRunsParameters.tenant_id, { required: true, example: 'ops-bot' });
const missingTenant = problem('missing', ['query', 'tenant_id']);
const tooMany = tooGreat(['query', 'limit'], pageLimits.most);

export const listRuns: Described = {
  tags: ['Runs'],
  summary: 'List the runs of a collection',
  description:
    'The latest first, as long as job records are kept: 30 days from the end of a job. A job is listed once it has started. ' +
    'Runs that were deleted or erased are listed without text.',
  parameters: [
    tenant,
    optionalParameter('status', listRunsParameters.status, { example: 'completed' }),
    optionalParameter('success', listRunsParameters.success, { example: true }),
    optionalParameter('limit', listRunsParameters.limit, { example: 20 }),
    optionalParameter('cursor', listRunsParameters.cursor, {}),
  ],
  answers: {
    success: [
      200,
      {
        description: 'A page of runs',
        content: jsonContent(runListSchema, { page: { runs: [run], next_cursor: 'WzE3NzI3MzQ1Mzc5MDMxNzNd' } }),
      },
    ],
    refused: [401, 'tenant_forbidden', 429, 503],
    invalid: {
      missing: missingTenant,
      status: notOneOf(['query', 'status'], listRunsParameters.status.enum),
      success: problem('bool_parsing', ['query', 'success']),
      out_of_range: tooMany,
      cursor: noSuchCursor,
    },
    failed: failure('runs_failed', 'The runs could not be listed'),
  },
};

export const getRun: Described = {
  tags: ['Runs'],
  summary: 'Get a run: what happened, and what was learnt from it',
  parameters: [
    {
      name: 'job_id',
      in: 'path',
      required: true,
      description: 'The `job_id` that `POST /store_knowledge` returned.',
      schema: { type: 'string' },
      example: exampleJobId,
    },
    tenant,
  ],
  answers: {
    success: [200, { description: 'The run', content: jsonContent(runDetailsSchema, { details }) }],
    refused: [401, 'tenant_forbidden', 'job_not_found', 429, 503],
    invalid: { missing: missingTenant, string_unicode: problem('string_unicode', ['path', 'job_id']) },
    failed: failure('runs_failed', 'The run could not be read'),
  },
};

export const listCollections: Described = {
  tags: ['Lessons'],
  summary: "List the account's collections",
  description: 'The oldest first. A collection is listed from its first upload, lesson or setting until it is erased.',
  parameters: [
    optionalParameter('limit', listCollectionsParameters.limit, { example: 20 }),
    optionalParameter('cursor', listCollectionsParameters.cursor, {}),
  ],
  answers: {
    success: [
      200,
      { description: 'A page of collections', content: jsonContent(collectionListSchema, { collections }) },
    ],
    refused: [401, 429, 503],
    invalid: { out_of_range: tooMany, cursor: noSuchCursor },
    failed: failure('collections_failed', 'The collections could not be listed'),
  },
};
