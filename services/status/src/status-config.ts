import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

export const statusConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_STATUS_CATCH_UP_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 60_000,
      default: 3000,
      description: 'How long an answer about a job waits for the latest records before it is refused.',
    },
  },
} as const satisfies ConfigSchema;

export interface StatusConfig {
  /** The file of the view; made anew when it is missing, broken or of another version. */
  databasePath: string;
  catchUpTimeoutMs: number;
}

export function statusConfigOf(values: ConfigOf<typeof statusConfigSchema>, databasePath: string): StatusConfig {
  return { databasePath, catchUpTimeoutMs: values.WHETSTONE_STATUS_CATCH_UP_TIMEOUT_MS };
}
