import type { FromSchema } from 'json-schema-to-ts';
import { auditActions } from '../messages/activity.js';
import { topics } from '../messages/events.js';
import type { Checked } from './body-checks.js';
import type { Problem } from './problems.js';
import { noSuchCursor, readInteger, readOptionalText, readQuery } from './query-parameters.js';
import { momentSchema } from './responses.js';

const pages = { least: 1, most: 200, usual: 50 };
const longestCursor = 64;

export const listAuditParameters = {
  limit: {
    type: 'integer',
    minimum: pages.least,
    maximum: pages.most,
    default: pages.usual,
    description: 'Entries on a page.',
  },
  cursor: { type: 'string', maxLength: longestCursor, description: 'The `next_cursor` of the previous page.' },
} as const;

export interface AuditQuery {
  limit: number;
  cursor?: string;
}

/** Each parameter may be given once; empty and unknown ones are ignored. */
export function readListAuditQuery(query: string): Checked<AuditQuery> {
  const parameters = readQuery(query, Object.keys(listAuditParameters));
  const problems: Problem[] = [];
  const limit = readInteger(parameters, 'limit', pages, problems);
  const cursor = readOptionalText(parameters, 'cursor', longestCursor, problems);
  // The id of an entry.
  if (problems.length === 0 && cursor !== undefined && !/^\d{17}-[\da-f]{8}$/.test(cursor)) problems.push(noSuchCursor);
  return problems.length > 0 ? { problems } : { body: { limit, ...(cursor === undefined ? {} : { cursor }) } };
}

const auditEntrySchema = {
  title: 'AuditEntry',
  description: 'A decision. No text of lessons or uploads, no intent and no key.',
  type: 'object',
  required: ['at', 'key_id', 'action', 'subject', 'outcome', 'details'],
  properties: {
    at: momentSchema,
    key_id: { type: ['string', 'null'], description: 'Who decided: the id of the key. Null: an operator.' },
    action: { type: 'string', enum: auditActions },
    tenant_id: {
      type: ['string', 'null'],
      description:
        "The collection; absent for keys. Null: the account's default collection, or its root secret is gone.",
    },
    subject: { type: ['string', 'null'], description: 'The id of the key or the lesson.' },
    outcome: {
      type: 'string',
      enum: ['done', 'failed', 'unknown'],
      description: '`failed`: it was refused or broke off; part of a deletion may have happened. `unknown`: not told.',
    },
    details: { type: 'object', description: 'What was decided, such as the scopes of a key or the state of a lesson.' },
  },
} as const;

export const auditListSchema = {
  title: 'AuditList',
  type: 'object',
  required: ['entries', 'next_cursor'],
  properties: {
    entries: { type: 'array', items: auditEntrySchema, description: 'Newest first.' },
    next_cursor: { type: ['string', 'null'], description: 'Null on the last page.' },
  },
} as const;

export type AuditList = FromSchema<typeof auditListSchema>;

const dayMs = 86_400e3;
const days = { least: 1, most: topics.usage.retentionMs / dayMs, usual: 30 };

export const getUsageParameters = {
  days: {
    type: 'integer',
    minimum: days.least,
    maximum: days.most,
    default: days.usual,
    description: 'How many days, today included. UTC.',
  },
} as const;

/** Unknown parameters are ignored. */
export function readGetUsageQuery(query: string): Checked<{ days: number }> {
  const problems: Problem[] = [];
  const wanted = readInteger(readQuery(query, ['days']), 'days', days, problems);
  return problems.length > 0 ? { problems } : { body: { days: wanted } };
}

const count = { type: 'integer', minimum: 0 } as const;

const keyUsageSchema = {
  title: 'KeyUsage',
  type: 'object',
  required: ['key_id', 'answers', 'empty_answers', 'uploads', 'bytes', 'refusals'],
  properties: {
    key_id: { type: 'string' },
    answers: { ...count, description: 'Answers of `enhance_task`.' },
    empty_answers: {
      ...count,
      description: 'Of these, how many came without recommendations, held-out ones included.',
    },
    uploads: { ...count, description: 'Accepted uploads.' },
    bytes: { ...count, description: 'Of the bodies of accepted uploads, unpacked.' },
    refusals: { ...count, description: 'Requests that were answered with 4xx or 503.' },
  },
} as const;

export const usageSchema = {
  title: 'Usage',
  type: 'object',
  required: ['days', 'truncated'],
  properties: {
    days: {
      type: 'array',
      description: 'Those with requests, the latest first.',
      items: {
        type: 'object',
        required: ['date', 'keys'],
        properties: {
          date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'UTC.' },
          keys: { type: 'array', items: keyUsageSchema, description: 'Those with requests, by id.' },
        },
      },
    },
    truncated: {
      type: 'boolean',
      description: 'There are more than 10,000 pairs of a day and a key; the oldest are missing.',
    },
  },
} as const;

export type UsageAnswer = FromSchema<typeof usageSchema>;

const armSchema = {
  type: 'object',
  required: ['runs', 'successes', 'rate'],
  properties: {
    runs: { ...count, description: 'Answers with a reported outcome.' },
    successes: count,
    rate: { type: ['number', 'null'], minimum: 0, maximum: 1, description: 'Null if there are no runs.' },
  },
} as const;

export const upliftSchema = {
  title: 'Uplift',
  type: 'object',
  required: ['with', 'without', 'difference', 'interval'],
  properties: {
    with: { ...armSchema, description: 'Answers with recommendations.' },
    without: { ...armSchema, description: 'Answers that were held out at random.' },
    difference: {
      type: ['number', 'null'],
      minimum: -1,
      maximum: 1,
      description: 'Difference of the two rates; null if either is null.',
    },
    interval: {
      type: ['array', 'null'],
      items: { type: 'number' },
      minItems: 2,
      maxItems: 2,
      description: 'The 95 % interval of the difference. If it includes 0, the result is inconclusive.',
    },
  },
} as const;

export type UpliftAnswer = FromSchema<typeof upliftSchema>;
