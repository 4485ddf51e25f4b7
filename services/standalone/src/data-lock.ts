import { DatabaseSync } from '@photostructure/sqlite';
import { AppError } from '@whetstone/platform';

export interface DataLock {
  release(): void;
}

/**
 * Keeps a second server off the data folder. An open exclusive transaction is the lock: the operating system lets go of it
 * whatever ends the process, so that nothing is stale after kill −9.
 */
export function lockDataFolder(folder: string, lockFile: string): DataLock {
  const database = new DatabaseSync(lockFile);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new AppError(
      'invalid_argument',
      `Another Whetstone server is using the data folder ${folder}. Stop it, or set WHETSTONE_DATA to another folder.`,
      { cause },
    );
  }
  return { release: () => database.close() };
}
