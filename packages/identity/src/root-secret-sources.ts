import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';
import { createRootSecrets, type RootSecrets } from './root-secrets.js';

/** Reads the roots from a file: one a line, the current one first, then previous ones that still verify. */
export async function readRootSecrets(path: string): Promise<RootSecrets> {
  const [current, ...previous] = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  try {
    return createRootSecrets(current ?? '', previous);
  } catch (cause) {
    throw new AppError('invalid_argument', `${path} holds no usable root secret: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** As `readRootSecrets`; where there is no file yet it appears whole, readable by its owner only, and on disk. */
export async function readOrCreateRootSecrets(path: string): Promise<RootSecrets> {
  try {
    return await readRootSecrets(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await create(path);
  return readRootSecrets(path);
}

/** Of several processes that try at once one wins, and all of them read the winner's. */
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
  // Windows has no handle on a folder to sync.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

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
