import type { FromSchema } from 'json-schema-to-ts';
import type { Checked } from './body-checks.js';
import type { Problem } from './problems.js';
import { type Page, pageParameters, readPage, readQuery } from './query-parameters.js';
import { choiceOrNull, isNull } from './requests.js';
import { momentSchema } from './responses.js';
import { nextCursorSchema } from './runs.js';

const review = ['none', 'required'] as const;

export const collectionChangeSchema = {
  title: 'CollectionChange',
  description: 'Settings of a collection: at least one. What is absent or null stays as it is.',
  type: 'object',
  properties: {
    review: {
      ...choiceOrNull(review),
      description: '`required`: only lessons that were approved, pinned or written by a person are told.',
    },
    holdout_share: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      description:
        'Share of answers with recommendations that get none, to measure what recommendations are worth. Replaces the ' +
        "server's `WHETSTONE_HOLDOUT_SHARE`.",
    },
    retention_days: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 36_500,
      description:
        'Insights that no run has confirmed for so long are forgotten; 0: never. Replaces the ' +
        "server's `WHETSTONE_RETENTION_DAYS`.",
    },
  },
  not: { properties: { review: isNull, holdout_share: isNull, retention_days: isNull } },
} as const;

export const nothingToSet: Problem = {
  loc: ['body'],
  msg: 'Input should have at least one of review, holdout_share and retention_days',
  type: 'value_error',
};

export const collectionSettingsSchema = {
  title: 'CollectionSettings',
  type: 'object',
  required: ['review'],
  properties: {
    review: { type: 'string', enum: review },
    holdout_share: { type: 'number', minimum: 0, maximum: 1, description: "Absent: the server's." },
    retention_days: { type: 'integer', minimum: 0, description: "Absent: the server's." },
  },
} as const;

export const listCollectionsParameters = pageParameters;

/** Each parameter may be given once; empty and unknown ones are ignored. */
export function readListCollectionsQuery(query: string): Checked<Page> {
  const problems: Problem[] = [];
  const page = readPage(readQuery(query, Object.keys(listCollectionsParameters)), problems);
  return problems.length > 0 ? { problems } : { body: page };
}

const collectionSchema = {
  title: 'Collection',
  type: 'object',
  required: ['tenant_id', 'default', 'insights', 'runs', 'last_upload_at', 'review', 'holdout_share', 'retention_days'],
  properties: {
    tenant_id: {
      type: ['string', 'null'],
      description: 'Null for the default collection, and for collections last written before names were stored.',
    },
    default: { type: 'boolean', description: "The collection that the account's keys name." },
    insights: { type: 'integer', minimum: 0 },
    runs: { type: 'integer', minimum: 0, description: 'Runs that `GET /runs` lists: those of about 30 days.' },
    last_upload_at: {
      type: ['string', 'null'],
      pattern: momentSchema.pattern,
      description: 'UTC. Of the latest of these runs.',
    },
    review: { type: 'string', enum: review },
    holdout_share: { type: ['number', 'null'], description: "Null: the server's." },
    retention_days: { type: ['integer', 'null'], description: "Null: the server's." },
  },
} as const;

export const collectionListSchema = {
  title: 'CollectionList',
  type: 'object',
  required: ['collections', 'next_cursor'],
  properties: { collections: { type: 'array', items: collectionSchema }, next_cursor: nextCursorSchema },
} as const;

export type CollectionAnswer = FromSchema<typeof collectionSchema>;
export type CollectionList = FromSchema<typeof collectionListSchema>;
export type CollectionChange = FromSchema<typeof collectionChangeSchema>;
export type CollectionSettingsAnswer = FromSchema<typeof collectionSettingsSchema>;
