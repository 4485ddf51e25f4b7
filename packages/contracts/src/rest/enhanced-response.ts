import type { FromSchema } from 'json-schema-to-ts';

export const recommendationSchema = {
  title: 'Recommendation',
  description: 'A lesson of past runs, or several that agree.',
  type: 'object',
  required: ['id', 'kind', 'title', 'text', 'similarity', 'support', 'source_job_ids'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['strategy', 'pitfall', 'recovery'] },
    title: { type: 'string' },
    text: { type: 'string', description: 'As it stands in the response, example included.' },
    similarity: { type: 'number', description: 'Of its task to the one asked about.' },
    support: { type: 'integer', minimum: 1, description: 'Distinct runs that agree.' },
    source_job_ids: { type: 'array', items: { type: 'string' } },
  },
} as const;

export const enhancedResponseSchema = {
  title: 'EnhancedResponse',
  type: 'object',
  required: ['response', 'metadata'],
  properties: {
    response: {
      type: 'string',
      description:
        'Ready to be handed to the agent in place of its input: the input, whole and first, then the recommendations. ' +
        'The input alone when there is nothing to say.',
    },
    metadata: {
      type: 'object',
      required: ['confidence_score', 'agent_type', 'enhancement_id', 'recommendations'],
      properties: {
        confidence_score: { type: 'number', minimum: 0, maximum: 1 },
        agent_type: { type: ['string', 'null'], description: 'As sent.' },
        enhancement_id: {
          type: 'string',
          description: 'To cite in `metadata.enhancement_id` of the upload that tells how it went.',
        },
        recommendations: { type: 'array', items: recommendationSchema },
        holdout: {
          const: true,
          description:
            'Present where the input was handed back unchanged although there was something to recommend, to measure what ' +
            'recommendations are worth. Cite the `enhancement_id` all the same.',
        },
      },
    },
  },
} as const;

export type EnhancedResponse = FromSchema<typeof enhancedResponseSchema>;
