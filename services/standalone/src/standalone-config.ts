import { analyserConfigSchema } from '@whetstone/analyser';
import { gatewayConfigSchema } from '@whetstone/gateway';
import { indexerConfigSchema } from '@whetstone/indexer';
import { type ConfigOf, type ConfigSchema, type Environment, loadMergedConfig } from '@whetstone/platform';
import { statusConfigSchema } from '@whetstone/status';

/** What is set for the process as a whole; each service adds its own. */
export const standaloneConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_DATA: {
      type: 'string',
      minLength: 1,
      default: './data',
      description: 'Folder that holds everything durable. Made at the first start, readable by its owner only.',
    },
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
      description: 'Least level of log lines that are written. JSON lines, or coloured text on a terminal.',
    },
    WHETSTONE_DRAIN_MS: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Time to go on serving after readiness is off, for load balancers to notice.',
    },
    WHETSTONE_STOP_GRACE_MS: {
      type: 'integer',
      minimum: 1000,
      default: 25_000,
      description: 'Time that an orderly stop may take in all.',
    },
  },
} as const satisfies ConfigSchema;

const schemas = [
  standaloneConfigSchema,
  gatewayConfigSchema,
  analyserConfigSchema,
  indexerConfigSchema,
  statusConfigSchema,
];

/** Everything that a standalone process can be told. */
export type ProcessConfig = ConfigOf<typeof standaloneConfigSchema> &
  ConfigOf<typeof gatewayConfigSchema> &
  ConfigOf<typeof analyserConfigSchema> &
  ConfigOf<typeof indexerConfigSchema> &
  ConfigOf<typeof statusConfigSchema>;

export function loadProcessConfig(env: Environment): ProcessConfig {
  return loadMergedConfig(schemas, env);
}
