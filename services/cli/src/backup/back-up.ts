import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { AppError, type Clock, type DataFolder, isAppError } from '@whetstone/platform';
import { copyDatabases, findDamage } from '@whetstone/platform/sqlite';

import { timeOf } from '../io.js';
import { copyDurably } from './copy-durably.js';
import { isOfBackup, type Manifest, writeManifest } from './manifest.js';

/**
 * Copies a data folder, whether or not a server runs on it. Both databases are copied as of one moment, so the backup is
 * what a crash at that moment would have left: a job whose end is in the log has its rows, and one without is done again.
 */
export async function backUp(folder: DataFolder, to: string, clock: Clock): Promise<Manifest> {
  const target = resolve(to);
  const missing = [folder.log, folder.knowledge].find((path) => !existsSync(path));
  if (missing !== undefined) throw new AppError('invalid_argument', `There is no ${missing}. Start the server once.`);
  await makeEmpty(target);
  try {
    const createdAt = timeOf(clock.now());
    // The knowledge first: its lock may take seconds to get, and nobody should wait for the log meanwhile.
    await copyDatabases([
      { from: folder.knowledge, to: join(target, 'knowledge.db') },
      { from: folder.log, to: join(target, 'log.db') },
    ]);
    await copyDurably(folder.rootSecret, join(target, 'root.secret'));
    for (const name of ['log.db', 'knowledge.db']) {
      await chmod(join(target, name), 0o600);
      refuseDamaged(folder.path, name, findDamage(join(target, name)));
    }
    return await writeManifest(target, createdAt);
  } catch (error) {
    for (const name of await readdir(target)) if (isOfBackup(name)) await rm(join(target, name));
    if (isAppError(error)) throw error;
    const message = `The backup failed: ${(error as Error).message}`;
    throw new AppError('store_unavailable', message, { retryable: true, cause: error });
  }
}

async function makeEmpty(target: string): Promise<void> {
  try {
    await mkdir(target, { recursive: true, mode: 0o700 });
    if ((await readdir(target)).length === 0) return;
  } catch (cause) {
    const { message } = cause as Error;
    throw new AppError('invalid_argument', `The backup cannot be written to ${target}: ${message}`, { cause });
  }
  throw new AppError('invalid_argument', `${target} is not empty. Name a folder that does not exist yet.`);
}

function refuseDamaged(folder: string, name: string, damage: string | undefined): void {
  if (damage === undefined) return;
  const remedy = 'Keep your earlier backups, and see the next start of the server for what to do.';
  throw new AppError('invalid_argument', `${join(folder, name)} is damaged (${damage}). ${remedy}`);
}
