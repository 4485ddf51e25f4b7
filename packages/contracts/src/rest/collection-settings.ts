import type { FromSchema } from 'json-schema-to-ts';
import type { Problem } from './problems.js';

const review = ['none', 'required'] as const;

export const collectionChangeSchema = {
  title: 'CollectionChange',
  description: 'Settings of a collection: at least one. What is absent or null stays as it is.',
  type: 'object',
  properties: {
    review: {
      type: ['string', 'null'],
      enum: [...review, null],
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

export type CollectionChange = FromSchema<typeof collectionChangeSchema>;
export type CollectionSettingsAnswer = FromSchema<typeof collectionSettingsSchema>;
