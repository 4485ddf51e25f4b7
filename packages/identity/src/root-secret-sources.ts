import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConfigOf, ConfigSchema } from '@whetstone/platform';
import { AppError } from '@whetstone/platform/worker';
import { createRootSecrets, type RootSecrets } from './root-secrets.js';

/** Reads roots from a file: one per line, the current one first, then previous ones. */
export async function readRootSecrets(path: string): Promise<RootSecrets> {
  const [current, ...previous] = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  try {
    return createRootSecrets(current ?? '', previous);
  } catch (cause) {
    throw new AppError(
      'invalid_argument',
      `${path} does not contain a valid root secret: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

/** Like `readRootSecrets`, but creates a missing file: atomically, durably, readable by its owner only. */
export async function readOrCreateRootSecrets(path: string): Promise<RootSecrets> {
  try {
    return await readRootSecrets(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await create(path);
  return readRootSecrets(path);
}

/** Safe for several processes at once: one wins, and all read its secret. */
async function create(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await write(draft, `${randomBytes(32).toString('base64url')}\n`);
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder to sync it.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** For a cluster. A standalone server keeps its root secret in its data folder. */
export const rootSecretConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_ROOT_SECRET: {
      type: 'string',
      secret: true,
      minLength: 32,
      pattern: '^[^\\s,]*$',
      description:
        'Secret that keys, job ids, sealed errors and the tokens of calls between services are derived from: at least 32 characters without spaces and commas, the same for all services and the command line. Make one with `openssl rand -hex 32`.',
    },
    WHETSTONE_PREVIOUS_ROOT_SECRETS: {
      type: 'string',
      secret: true,
      pattern: '^\\s*([^\\s,]{32,}([\\s,]+|$))*$',
      default: '',
      description:
        'Earlier root secrets, separated by commas, spaces or line breaks. What was derived from them stays valid; nothing new is derived from them.',
    },
  },
  required: ['WHETSTONE_ROOT_SECRET'],
} as const satisfies ConfigSchema;

export function rootSecretsOf(values: ConfigOf<typeof rootSecretConfigSchema>): RootSecrets {
  const previous = values.WHETSTONE_PREVIOUS_ROOT_SECRETS.split(/[\s,]+/).filter((secret) => secret !== '');
  return createRootSecrets(values.WHETSTONE_ROOT_SECRET, previous);
}
