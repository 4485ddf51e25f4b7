import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import { createRootSecrets, type RootSecrets } from './root-secrets.js';

/** The root secret of a cluster. A standalone server keeps its own in its data folder. */
export const rootSecretConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_ROOT_SECRET: {
      type: 'string',
      secret: true,
      minLength: 32,
      pattern: '^[^\\s,]*$',
      description:
        'What keys, job ids and sealed errors are derived from: at least 32 characters without spaces and commas, the same for all services and the command line. `openssl rand -hex 32` makes one.',
    },
    WHETSTONE_PREVIOUS_ROOT_SECRETS: {
      type: 'string',
      secret: true,
      pattern: '^\\s*([^\\s,]{32,}([\\s,]+|$))*$',
      default: '',
      description:
        'Root secrets from before, separated by commas or spaces, or one a line. What they have made still counts; nothing new is made with them.',
    },
  },
  required: ['WHETSTONE_ROOT_SECRET'],
} as const satisfies ConfigSchema;

export function rootSecretsOf(values: ConfigOf<typeof rootSecretConfigSchema>): RootSecrets {
  const previous = values.WHETSTONE_PREVIOUS_ROOT_SECRETS.split(/[\s,]+/).filter((secret) => secret !== '');
  return createRootSecrets(values.WHETSTONE_ROOT_SECRET, previous);
}
