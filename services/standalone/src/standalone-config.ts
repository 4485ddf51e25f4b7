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

/** Besides what every process has, and what each of the services adds. */
export const standaloneConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_DATA: {
      type: 'string',
      minLength: 1,
      default: './data',
      description: 'Folder that holds everything durable. Made at the first start, readable by its owner only.',
    },
  },
} as const satisfies ConfigSchema;

/** Everything that a standalone process reads. */
export const standaloneSchemas = [
  processConfigSchema,
  standaloneConfigSchema,
  gatewayConfigSchema,
  analyserConfigSchema,
  indexerConfigSchema,
  statusConfigSchema,
];

/** Everything that a standalone process can be told. */
export type ProcessConfig = ConfigOf<typeof processConfigSchema> &
  ConfigOf<typeof standaloneConfigSchema> &
  ConfigOf<typeof gatewayConfigSchema> &
  ConfigOf<typeof analyserConfigSchema> &
  ConfigOf<typeof indexerConfigSchema> &
  ConfigOf<typeof statusConfigSchema>;

export function readProcessConfig(env: Environment): ProcessConfig {
  return configOrExit(standaloneSchemas, env);
}
