import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { AppError, type DataFolder, readOnlyPathIn } from '@whetstone/platform';

/** Creates the data folder if it is missing and locks it. Throws AppError `invalid_argument` that says what is wrong. */
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

/** One folder at a time: Node's recursive mkdir hangs where a folder can never be made, such as below /proc. */
async function make(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (dirname(path) !== path) await make(dirname(path));
  }
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Another server may have just created it; the lock decides between them.
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
}

interface DataLock {
  release(): void;
}

/** SQLITE_BUSY, the lowest byte of SQLite's extended codes. */
const busy = 5;

/**
 * Returns `undefined` if another server holds the lock. The lock is an open exclusive transaction: the operating system releases
 * it however the process ends, so it is never stale. Throws if the file cannot be used.
 */
function lockFile(path: string): DataLock | undefined {
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
