import { analyserConfigSchema } from '@whetstone/analyser';
import { gatewayConfigSchema } from '@whetstone/gateway';
import { indexerConfigSchema } from '@whetstone/indexer';
import {
  type ConfigOf,
  type ConfigSchema,
  configOrExit,
  type Environment,
  processConfigSchema,
} from '@whetstone/platform';
import { statusConfigSchema } from '@whetstone/status';

export const standaloneConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_DATA: {
      type: 'string',
      minLength: 1,
      default: './data',
      description: 'Folder for all durable data. Created at the first start, accessible only to its owner.',
    },
  },
} as const satisfies ConfigSchema;

/** All settings of a standalone server. */
export const standaloneSchemas = [
  processConfigSchema,
  standaloneConfigSchema,
  gatewayConfigSchema,
  analyserConfigSchema,
  indexerConfigSchema,
  statusConfigSchema,
];

export type ProcessConfig = ConfigOf<typeof processConfigSchema> &
  ConfigOf<typeof standaloneConfigSchema> &
  ConfigOf<typeof gatewayConfigSchema> &
  ConfigOf<typeof analyserConfigSchema> &
  ConfigOf<typeof indexerConfigSchema> &
  ConfigOf<typeof statusConfigSchema>;

export function readProcessConfig(env: Environment): ProcessConfig {
  return configOrExit(standaloneSchemas, env);
}
