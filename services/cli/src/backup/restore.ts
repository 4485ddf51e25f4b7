import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { AppError, type Clock, type DataFolder } from '@whetstone/platform';
import { type FileLock, lockFile } from '@whetstone/platform/sqlite';

import { timeOf } from '../io.js';
import { copyDurably } from './copy-durably.js';
import { backedUpFiles, type Manifest, verifyBackup } from './manifest.js';

export interface Restored {
  manifest: Manifest;
  /** Where the former data is now; `undefined` if there was none. */
  keptIn: string | undefined;
}

/** What a server writes into its data folder, apart from the lock and its address. */
const dataFile = /^(root\.secret|(log|knowledge|status|activity)\.db(-wal|-shm|-journal)?)$/;

/** Puts a backup into a data folder that no server uses. Former data is moved aside if `replace` says so, never deleted. */
export async function restore(
  from: string,
  folder: DataFolder,
  { replace, clock }: { replace: boolean; clock: Clock },
): Promise<Restored> {
  const source = resolve(from);
  const manifest = await verifyBackup(source);
  return withoutServer(folder, async () => {
    const former = (await readdir(folder.path)).filter((name) => dataFile.test(name));
    if (former.length > 0 && !replace) {
      const found = `${folder.path} already holds data (${former.join(', ')}).`;
      const remedy = 'Name another folder with --data, or add --replace to move that data aside.';
      throw new AppError('invalid_argument', `${found} ${remedy}`);
    }
    // Copied under other names first: a disk that fills up changes nothing.
    await draft(source, folder);
    const keptIn = former.length === 0 ? undefined : await moveAside(folder.path, former, clock);
    for (const name of backedUpFiles) await rename(draftOf(folder, name), join(folder.path, name));
    return { manifest, keptIn };
  });
}

async function draft(source: string, folder: DataFolder): Promise<void> {
  try {
    for (const name of backedUpFiles) await copyDurably(join(source, name), draftOf(folder, name));
  } catch (cause) {
    for (const name of backedUpFiles) await rm(draftOf(folder, name), { force: true, recursive: true });
    const message = `The restore failed and changed nothing: ${(cause as Error).message}`;
    throw new AppError('store_unavailable', message, { retryable: true, cause });
  }
}

/** Runs while holding the lock that a server holds as long as it runs. */
export async function withoutServer<Result>(folder: DataFolder, work: () => Promise<Result>): Promise<Result> {
  const lock = await lockOf(folder);
  if (!lock) throw new AppError('invalid_argument', `A server is running on ${folder.path}. Stop it first.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function lockOf({ path, serverLock }: DataFolder): Promise<FileLock | undefined> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return lockFile(serverLock);
  } catch (cause) {
    const { message } = cause as Error;
    throw new AppError('invalid_argument', `The data folder ${path} cannot be used: ${message}`, { cause });
  }
}

/** Returns the folder that the files are in now. */
export async function moveAside(folder: string, names: readonly string[], clock: Clock): Promise<string> {
  const keptIn = join(folder, `replaced-${timeOf(clock.now()).replace(/[-:.]/g, '')}`);
  await mkdir(keptIn, { mode: 0o700 });
  for (const name of names) {
    try {
      await rename(join(folder, name), join(keptIn, name));
    } catch (error) {
      // Whoever closes a database last removes these: they held nothing more.
      if (!isBesideDatabase(name) || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return keptIn;
}

function isBesideDatabase(name: string): boolean {
  return /\.db-(wal|shm|journal)$/.test(name);
}

function draftOf(folder: DataFolder, name: string): string {
  return join(folder.path, `${name}.restoring`);
}
