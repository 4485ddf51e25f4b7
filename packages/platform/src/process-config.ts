import type { ConfigSchema } from './load-config.js';

/** Configuration of every process. */
export const processConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_OPS_HOST: {
      type: 'string',
      default: '127.0.0.1',
      description: 'Address to listen on for probes and metrics.',
    },
    WHETSTONE_OPS_PORT: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 9464,
      description: 'Port for probes and metrics. 0 takes a free one.',
    },
    WHETSTONE_LOG_LEVEL: {
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'Minimum log level. JSON lines, or coloured text on a terminal.',
    },
    WHETSTONE_DRAIN_MS: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'How long to keep serving after reporting not ready, so load balancers can react.',
    },
    WHETSTONE_STOP_GRACE_MS: {
      type: 'integer',
      minimum: 1000,
      default: 25_000,
      description: 'Time that an orderly stop may take in all.',
    },
  },
} as const satisfies ConfigSchema;
