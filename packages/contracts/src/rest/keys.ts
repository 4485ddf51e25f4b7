import type { FromSchema } from 'json-schema-to-ts';
import { scopes, trustLevels } from '../messages/events.js';
import type { Checked } from './body-checks.js';
import { dateTimeSchema } from './date-time.js';
import { blank, notPrintable, type Problem, problem, tooLong, tooShort } from './problems.js';
import { readQuery, repeated } from './query-parameters.js';
import { choiceOrNull } from './requests.js';
import { momentSchema } from './responses.js';

/** Only operators can issue `admin` keys. */
const grantableScopes = ['ask', 'record', 'curate'] as const;
const longestReason = 200;

const reasonSchema = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: longestReason,
  // No control characters, spelt without \p, which not every language knows.
  pattern: '^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
  description: 'Why, for the audit record. One line of text.',
} as const;

export const keyRequestSchema = {
  title: 'KeyRequest',
  description:
    'What a new key may do, and for how long. It never expires unless `expires_in_days` or `expires_at` is set.',
  type: 'object',
  required: ['scopes'],
  properties: {
    scopes: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: grantableScopes },
      description: 'Operators issue keys with the scope `admin`, with `whetstone keys issue`.',
    },
    expires_in_days: { type: ['integer', 'null'], minimum: 1, maximum: 3650, description: 'Days from now.' },
    expires_at: {
      ...dateTimeSchema,
      description: `In the future, at most ten years from now. Not together with \`expires_in_days\`. ${dateTimeSchema.description}`,
    },
    trust: {
      ...choiceOrNull(trustLevels),
      description:
        'Trust level of its uploads; `normal` if absent. Lessons from low-trust keys are held until others confirm them.',
    },
    reason: reasonSchema,
  },
  not: {
    required: ['expires_in_days', 'expires_at'],
    properties: { expires_in_days: { type: 'integer' }, expires_at: { type: 'string' } },
  },
} as const;

export type KeyRequestBody = FromSchema<typeof keyRequestSchema>;

export const expiresTwice: Problem = {
  loc: ['body', 'expires_at'],
  msg: 'Input should not come together with expires_in_days',
  type: 'value_error',
};

/** What the schema cannot say. */
export const expiresOutOfRange: Problem = {
  loc: ['body', 'expires_at'],
  msg: 'Input should be in the future, at most ten years from now',
  type: 'value_error',
};

const { type: _, ...reasonText } = reasonSchema;
export const revokeKeyParameters = { reason: { type: 'string', ...reasonText } } as const;

export interface RevokeKeyQuery {
  reason?: string;
}

/** Unknown parameters are ignored. */
export function readRevokeKeyQuery(query: string): Checked<RevokeKeyQuery> {
  const loc = ['query', 'reason'];
  const { text, isRepeated, isUnreadable } = readQuery(query, ['reason']).get('reason') ?? {};
  if (isUnreadable) return { problems: [problem('string_unicode', loc)] };
  if (isRepeated) return { problems: [repeated('string_type', loc)] };
  if (text === undefined) return { body: {} };
  if (text === '') return { problems: [tooShort(loc, 1)] };
  if ([...text].length > longestReason) return { problems: [tooLong(loc, longestReason)] };
  if (text.trim() === '') return { problems: [blank(loc)] };
  if (/\p{Cc}/u.test(text)) return { problems: [notPrintable(loc)] };
  return { body: { reason: text } };
}

const keyFields = {
  key_id: { type: 'string', description: 'The part of the key after `wst_`.' },
  scopes: { type: 'array', items: { type: 'string', enum: scopes } },
  trust: { type: 'string', enum: trustLevels },
  status: {
    type: 'string',
    enum: ['active', 'ending', 'expired', 'revoked'],
    description: '`ending`: replaced by another key, and revoked from `effective_at` on.',
  },
  issued_at: momentSchema,
  approved_by: {
    type: 'string',
    description: 'Who approved it: the id of the key that issued it, or what an operator wrote.',
  },
  reason: { type: 'string' },
  expires_at: momentSchema,
  revoked_at: momentSchema,
  effective_at: momentSchema,
  revocation_reason: { type: 'string' },
  revoked_by: { type: 'string', description: 'The id of the key that revoked it; absent if an operator did.' },
} as const;

const always = ['key_id', 'scopes', 'trust', 'status', 'issued_at', 'approved_by', 'reason'] as const;

export const apiKeySchema = {
  title: 'ApiKey',
  description: 'What is known of a key. The key itself is not stored.',
  type: 'object',
  required: always,
  properties: keyFields,
} as const;

export const issuedKeySchema = {
  title: 'IssuedKey',
  type: 'object',
  required: ['key', ...always],
  properties: { key: { type: 'string', description: 'The key. Shown only this once.' }, ...keyFields },
} as const;

export const keyListSchema = {
  title: 'KeyList',
  type: 'object',
  required: ['keys'],
  properties: {
    keys: { type: 'array', items: apiKeySchema, description: 'All keys ever issued to the account, oldest first.' },
  },
} as const;

export type ApiKey = FromSchema<typeof apiKeySchema>;
export type IssuedKeyAnswer = FromSchema<typeof issuedKeySchema>;
export type KeyList = FromSchema<typeof keyListSchema>;
