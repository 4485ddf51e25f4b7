import type { FromSchema } from 'json-schema-to-ts';

export const storeAcknowledgementSchema = {
  title: 'Acknowledgement',
  description: 'The upload is durable, and its job exists.',
  type: 'object',
  required: ['status', 'message', 'tenant_id', 'job_id'],
  properties: {
    status: { type: 'string', const: 'accepted' },
    message: { type: 'string' },
    tenant_id: { type: 'string', description: 'As sent.' },
    job_id: { type: 'string' },
  },
} as const;

export type StoreAcknowledgement = FromSchema<typeof storeAcknowledgementSchema>;
