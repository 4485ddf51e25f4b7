import { decidedStates, effects, insightScopes, trustLevels } from '@whetstone/contracts';
import type { RowType } from '@whetstone/indexer';

/** One line of an export. */
export interface RowLine {
  collection_id: string;
  job_id: string;
  attempt: string;
  ordinal: number;
  type: RowType;
  accepted_at: number;
  intent: string;
  text: string;
  body: object;
  model: string;
  dimension: number;
  vector: string;
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const name = { type: 'string', minLength: 1, maxLength: 256, pattern: '^[^/]+$' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Fields that earlier versions did not write are optional. */
const insight = {
  type: 'object',
  required: ['kind', 'title', 'content', 'steps', 'polarity', 'evidence', 'confidence'],
  properties: {
    kind: { enum: ['strategy', 'pitfall', 'recovery'] },
    title: text,
    appliesWhen: text,
    notWhen: text,
    content: text,
    steps: texts,
    example: text,
    polarity: { enum: ['success', 'failure'] },
    evidence: { type: 'array', items: { type: 'integer' } },
    confidence: share,
    scope: { enum: insightScopes },
    rule: text,
    actions: texts,
    effects: { type: 'array', items: { enum: effects } },
    errorClass: text,
  },
} as const;

const shape = {
  outcome: { enum: ['success', 'failure', 'unknown'] },
  judged: { type: 'boolean' },
  uses: texts,
  changes: texts,
} as const;

const run = {
  type: 'object',
  required: ['outcome', 'judged', 'uses', 'steps'],
  properties: {
    ...shape,
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['turn', 'action', 'outcome'],
        properties: {
          turn: { type: 'integer' },
          action: text,
          outcome: { enum: ['ok', 'error', 'unknown'] },
          note: text,
        },
      },
    },
  },
} as const;

const origin = {
  type: 'object',
  required: ['jobId', 'keyId', 'acceptedAt', 'bodyDigest', 'producer'],
  properties: {
    jobId: text,
    keyId: text,
    acceptedAt: count,
    bodyDigest: text,
    agentType: text,
    interactionTime: { type: 'integer' },
    producer: { type: 'object', required: ['name', 'version'], properties: { name: text, version: text } },
    trust: { enum: trustLevels },
  },
} as const;

const digest = { type: 'string', pattern: '^[\\w-]{1,64}$' } as const;

const cited = {
  type: 'object',
  required: ['tokenDigest', 'arm'],
  properties: { tokenDigest: digest, arm: { enum: ['recommended', 'holdout', 'nothing_to_say'] } },
} as const;

const shortDigests = (least: number, most: number) =>
  ({ type: 'string', pattern: `^([\\w-]{8}){${least},${most}}$` }) as const;

/** Of a consolidated insight. */
const days = { type: 'string', pattern: '^([0-9a-z]{4}|-{4}){0,256}$' } as const;

const tally = {
  type: 'object',
  required: [
    'runs',
    'lowTrustRuns',
    'digests',
    'lowTrustDigests',
    'keys',
    'jobIds',
    'firstSeen',
    'lastSeen',
    'absorbed',
  ],
  additionalProperties: false,
  properties: {
    runs: { type: 'integer', minimum: 1 },
    lowTrustRuns: count,
    digests: shortDigests(1, 256),
    lowTrustDigests: shortDigests(0, 256),
    keys: {
      type: 'array',
      maxItems: 32,
      items: { type: 'object', required: ['keyId'], properties: { keyId: text, trust: { enum: trustLevels } } },
    },
    jobIds: { ...texts, maxItems: 8 },
    firstSeen: count,
    lastSeen: count,
    votes: {
      type: 'object',
      required: ['helped', 'harmed', 'tokens'],
      properties: {
        helped: count,
        harmed: count,
        tokens: {
          type: 'object',
          required: ['helped', 'harmed'],
          properties: { helped: shortDigests(0, 256), harmed: shortDigests(0, 256) },
        },
        days: { type: 'object', required: ['helped', 'harmed'], properties: { helped: days, harmed: days } },
        notes: {
          type: 'array',
          maxItems: 5,
          items: {
            type: 'object',
            required: ['givenAt', 'success', 'note'],
            properties: { givenAt: count, success: { type: 'boolean' }, note: text },
          },
        },
      },
    },
    absorbed: { ...texts, maxItems: 256 },
  },
} as const;

const outcomes = {
  type: 'object',
  required: ['told', 'succeeded'],
  properties: { told: count, succeeded: count },
} as const;

/** Of a summary of dropped runs. */
const answers = {
  type: 'object',
  required: ['uploads', 'untold', 'arms', 'tokens'],
  additionalProperties: false,
  properties: {
    uploads: count,
    untold: count,
    arms: {
      type: 'object',
      required: ['recommended', 'holdout', 'nothing_to_say'],
      properties: { recommended: outcomes, holdout: outcomes, nothing_to_say: outcomes },
    },
    tokens: shortDigests(0, 4096),
  },
} as const;

const vote = {
  type: 'object',
  required: ['about', 'tokenDigest', 'helped'],
  properties: {
    about: { type: 'string', pattern: '^[^/\\s]{1,256}/\\d{1,9}$' },
    tokenDigest: digest,
    helped: { type: 'boolean' },
  },
} as const;

/** A decision about a lesson, or a change to the settings of the collection. */
const decision = {
  type: 'object',
  required: ['keyId'],
  properties: {
    lesson: { type: 'string', pattern: '^[\\w-]{16}$' },
    state: { enum: decidedStates },
    wording: { type: 'object', properties: { title: text, text, example: text } },
    note: text,
    keyId: text,
    decidedAt: count,
    settings: {
      type: 'object',
      properties: { review: { enum: ['none', 'required'] }, holdoutShare: share, retentionDays: count },
    },
    changedAt: count,
  },
} as const;

/** Checks everything that a server will read from the rows. */
export const rowLineSchema = {
  type: 'object',
  required: [
    'collection_id',
    'job_id',
    'attempt',
    'ordinal',
    'type',
    'accepted_at',
    'intent',
    'text',
    'body',
    'model',
    'dimension',
    'vector',
  ],
  properties: {
    collection_id: { type: 'string', pattern: '^c[0-9a-f]{16}_[0-9a-f]{32}$' },
    job_id: name,
    attempt: name,
    ordinal: { ...count, maximum: 9999 },
    type: { type: 'string' },
    accepted_at: count,
    intent: text,
    text: text,
    body: { type: 'object' },
    model: { type: 'string', minLength: 1 },
    dimension: { type: 'integer', minimum: 1, maximum: 65_535 },
    vector: text,
  },
  discriminator: { propertyName: 'type' },
  oneOf: [
    {
      required: ['type'],
      properties: {
        type: { const: 'insight' },
        body: {
          type: 'object',
          required: ['insight', 'run', 'origin'],
          properties: {
            // Named like this, an insight is merged with others of its name.
            name: { type: 'string', pattern: '^([\\w-]{16}\\.[\\w-]{8}\\.[\\w-]{8})?$' },
            insight,
            tally,
            run: { type: 'object', required: ['outcome', 'judged', 'uses'], properties: shape },
            origin,
          },
        },
      },
    },
    {
      required: ['type'],
      properties: {
        type: { const: 'run' },
        body: { type: 'object', required: ['run', 'origin'], properties: { run, origin, cited, answers } },
      },
    },
    {
      required: ['type'],
      properties: {
        type: { const: 'vote' },
        body: { type: 'object', required: ['vote', 'origin'], properties: { vote, origin, note: text } },
      },
    },
    { required: ['type'], properties: { type: { const: 'decision' }, body: decision } },
  ],
} as const;
