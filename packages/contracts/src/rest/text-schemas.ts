/** Names a collection of the caller's account. */
export const tenantIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description:
    "The collection: a workflow's name, or a key of the account for its default collection. A text that looks like " +
    'a key of ours and is not one of the account is refused with 403.',
} as const;

export const optionalTextSchema = { type: ['string', 'null'] } as const;

const notText = ['number', 'boolean', 'object', 'array'] as const;

/** As a rule text; clients also send what a framework has parsed already. */
export const anyValueSchema = {
  type: ['string', ...notText],
  description: 'Text, or any other JSON value but null, which is kept as compact JSON.',
} as const;

export const optionalValueSchema = {
  type: ['string', 'null', ...notText],
  description: 'Text, or any other JSON value, which is kept as compact JSON. Null: none.',
} as const;

/** How job records print moments: UTC, six fractional digits, no zone. */
export const momentSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$',
  description: 'UTC, six fractional digits, no zone.',
} as const;
