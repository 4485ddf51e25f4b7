import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, type DataFolder, readOnlyPathIn } from '@whetstone/platform';
import { type FileLock, lockFile } from '@whetstone/platform/sqlite';

/** Creates the data folder if it is missing and locks it. Throws AppError `invalid_argument` that says what is wrong. */
export async function openDataFolder(folder: DataFolder): Promise<FileLock> {
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
