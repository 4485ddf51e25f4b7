import {
  apiKeySchema,
  expiresOutOfRange,
  expiresTwice,
  issuedKeySchema,
  keyListSchema,
  keyRequestSchema,
  revokeKeyParameters,
} from '../keys.js';
import { notOneOf, problem, tooShort } from '../problems.js';
import { type Described, failure, jsonContent, links, queryParameter, requestBody } from './answers.js';
import { exampleKeyId, examples } from './examples.js';

export const listKeys: Described = {
  tags: ['Keys'],
  summary: "List the account's keys",
  description: 'Expired and revoked ones too, oldest first. The keys themselves are not stored.',
  answers: {
    success: [200, { description: 'The keys', content: jsonContent(keyListSchema, examples.keyList) }],
    refused: [401, 429, 503],
    failed: failure('internal_error', 'Internal server error'),
  },
};

export const issueKey: Described = {
  tags: ['Keys'],
  summary: 'Issue a key for the account',
  description:
    'The answer shows the key, only this once. This process accepts it at once, others within a second. Bodies are limited ' +
    'to 16 KiB.',
  requestBody: requestBody(keyRequestSchema, examples.keyRequest),
  answers: {
    success: [
      201,
      {
        description: 'The key is valid',
        content: jsonContent(issuedKeySchema, examples.issuedKey),
        ...links({ revokeKey: { parameters: { key_id: '$response.body#/key_id' } } }),
      },
    ],
    refused: [401, 408, 'too_many_keys', 413, 415, 429, 503],
    invalid: {
      not_grantable: notOneOf(['body', 'scopes', 0], keyRequestSchema.properties.scopes.items.enum),
      expires_twice: expiresTwice,
      out_of_range: expiresOutOfRange,
    },
    failed: failure('keys_failed', 'The key could not be issued'),
  },
};

const keyId = {
  name: 'key_id',
  in: 'path',
  required: true,
  description: 'The id of the key: never the key itself.',
  schema: { type: 'string' },
  example: exampleKeyId,
};

export const revokeKey: Described = {
  tags: ['Keys'],
  summary: 'Revoke a key of the account',
  description:
    'This process refuses the key at once, others within a second. Revoking it again changes nothing. A key cannot revoke ' +
    'itself.',
  parameters: [keyId, queryParameter('reason', revokeKeyParameters.reason, { example: 'leaked in a build log' })],
  answers: {
    success: [200, { description: 'The key is revoked', content: jsonContent(apiKeySchema, examples.revokedKey) }],
    refused: [401, 'key_not_found', 'own_key', 429, 503],
    invalid: {
      string_unicode: problem('string_unicode', ['path', 'key_id']),
      too_short: tooShort(['query', 'reason'], 1),
    },
    failed: failure('keys_failed', 'The key could not be revoked'),
  },
};
