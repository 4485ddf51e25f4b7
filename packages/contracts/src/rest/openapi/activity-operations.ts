import {
  type AuditList,
  auditListSchema,
  getUsageParameters,
  listAuditParameters,
  type UpliftAnswer,
  type UsageAnswer,
  upliftSchema,
  usageSchema,
} from '../activity.js';
import { tenantParameters } from '../lesson-queries.js';
import { problem, tooGreat } from '../problems.js';
import { noSuchCursor } from '../query-parameters.js';
import { type Described, failure, jsonContent, optionalParameter, queryParameter } from './answers.js';
import { exampleKeyId } from './examples.js';
import { exampleLessonId } from './lesson-examples.js';

const admin = '8j9k0m1n2p3q4r5s';

const trail: AuditList = {
  entries: [
    {
      at: '2026-03-09T09:30:00.000000',
      key_id: admin,
      action: 'lesson.changed',
      tenant_id: 'ops-bot',
      subject: exampleLessonId,
      outcome: 'done',
      details: { state: 'muted' },
    },
    {
      at: '2026-03-05T18:15:37.903173',
      key_id: null,
      action: 'key.issued',
      subject: exampleKeyId,
      outcome: 'done',
      details: { scopes: ['ask', 'record'], trust: 'normal', approved_by: 'ann' },
    },
  ],
  next_cursor: '01772734537903173-0f3a91c2',
};

export const listAudit: Described = {
  tags: ['Keys'],
  summary: 'List who decided what in the account',
  description:
    'Decisions about keys, lessons and collections, and deletions, newest first. Kept for a year, at most 100,000.',
  parameters: [
    optionalParameter('limit', listAuditParameters.limit, { example: 20 }),
    optionalParameter('cursor', listAuditParameters.cursor, {}),
  ],
  answers: {
    success: [200, { description: 'A page of entries', content: jsonContent(auditListSchema, { page: trail }) }],
    refused: [401, 429, 503],
    invalid: { out_of_range: tooGreat(['query', 'limit'], listAuditParameters.limit.maximum), cursor: noSuchCursor },
    failed: failure('audit_failed', 'The audit trail could not be read'),
  },
};

const used: UsageAnswer = {
  days: [
    {
      date: '2026-03-09',
      keys: [{ key_id: exampleKeyId, answers: 120, empty_answers: 31, uploads: 118, bytes: 402_113, refusals: 2 }],
    },
  ],
  truncated: false,
};

export const getUsage: Described = {
  tags: ['Keys'],
  summary: 'See what the keys of the account did, day by day',
  description: 'Kept for 90 days. Counts of other processes arrive within about ten seconds.',
  parameters: [optionalParameter('days', getUsageParameters.days, { example: 30 })],
  answers: {
    success: [200, { description: 'The counts', content: jsonContent(usageSchema, { one_day: used }) }],
    refused: [401, 429, 503],
    invalid: { out_of_range: tooGreat(['query', 'days'], getUsageParameters.days.maximum) },
    failed: failure('usage_failed', 'The usage could not be read'),
  },
};

const measured: UpliftAnswer = {
  with: { runs: 412, successes: 371, rate: 0.9005 },
  without: { runs: 46, successes: 34, rate: 0.7391 },
  difference: 0.1614,
  interval: [0.0494, 0.3062],
};
const nothingToCompare: UpliftAnswer = {
  with: { runs: 12, successes: 9, rate: 0.75 },
  without: { runs: 0, successes: 0, rate: null },
  difference: null,
  interval: null,
};

export const getUplift: Described = {
  tags: ['Lessons'],
  summary: 'See how much more often runs succeed with recommendations',
  description:
    'Compares answers that had recommendations with answers held out at random (`holdout_share`). An answer counts once it has ' +
    'an outcome: an upload that cites it and says `success`, or `POST /feedback`.',
  parameters: [queryParameter('tenant_id', tenantParameters.tenant_id, { required: true, example: 'ops-bot' })],
  answers: {
    success: [
      200,
      {
        description: 'The comparison',
        content: jsonContent(upliftSchema, { measured, nothing_to_compare: nothingToCompare }),
      },
    ],
    refused: [401, 'tenant_forbidden', 429, 503],
    invalid: { missing: problem('missing', ['query', 'tenant_id']) },
    failed: failure('uplift_failed', 'The uplift could not be measured'),
  },
};
