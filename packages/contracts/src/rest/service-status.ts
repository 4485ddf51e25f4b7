import type { FromSchema } from 'json-schema-to-ts';

export const serviceStatusSchema = {
  title: 'ServiceStatus',
  type: 'object',
  required: ['status', 'service', 'version'],
  properties: { status: { type: 'string', const: 'ok' }, service: { type: 'string' }, version: { type: 'string' } },
} as const;

export type ServiceStatus = FromSchema<typeof serviceStatusSchema>;
