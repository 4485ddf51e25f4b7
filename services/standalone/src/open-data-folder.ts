import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { AppError, type DataFolder, readOnlyPathIn } from '@whetstone/platform';

/**
 * Makes the data folder where it is missing, and takes it for this server alone. Throws AppError `invalid_argument`, which says
 * what is in the way and which variable names another folder.
 */
export async function openDataFolder(folder: DataFolder): Promise<DataLock> {
  const { path, serverLock } = folder;
  try {
    await make(path);
    const readOnly = await readOnlyPathIn(folder);
    if (readOnly) throw new Error(`${readOnly} is read-only for this user`);
    const lock = lockFile(serverLock);
    if (lock) return lock;
  } catch (cause) {
    const { message } = cause as Error;
    const remedy = 'Fix that, or set WHETSTONE_DATA to another folder.';
    throw new AppError('invalid_argument', `The data folder ${path} cannot be used: ${message}. ${remedy}`, { cause });
  }
  const remedy = 'Stop it, or set WHETSTONE_DATA to another folder.';
  throw new AppError('invalid_argument', `Another Whetstone server is using the data folder ${path}. ${remedy}`);
}

/** Each missing folder by itself: asked for all of them at once, Node does not come back where one can never be made. */
async function make(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (dirname(path) !== path) await make(dirname(path));
  }
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Two servers that start at once both make it; the lock tells them apart.
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
}

export interface DataLock {
  release(): void;
}

/** A code of SQLite; what it adds in higher bytes says more. */
const busy = 5;

/**
 * Keeps a second server off; undefined where there is one. An open exclusive transaction is the lock: the operating system lets go
 * of it whatever ends the process, so that nothing is stale after kill −9. Throws where the file cannot be used.
 */
export function lockFile(path: string): DataLock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
