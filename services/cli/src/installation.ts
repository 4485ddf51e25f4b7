import { stat } from 'node:fs/promises';

import { topics } from '@whetstone/contracts';
import { type EventLog, openLocalEventLog } from '@whetstone/event-log';
import { type RootSecrets, readRootSecrets } from '@whetstone/identity';
import { AppError, type DataFolder, dataFolder } from '@whetstone/platform';

/** The installation that a data folder holds, with or without a server that runs on it. */
export interface Installation {
  folder: DataFolder;
  roots: RootSecrets;
}

const remedy = 'Start the server once (npm start), or say where its data is: --data DIR or WHETSTONE_DATA=DIR';

export async function findInstallation(path: string): Promise<Installation> {
  const folder = dataFolder(path);
  if (!(await isFolder(folder.path))) {
    throw new AppError('invalid_argument', `There is no data folder ${folder.path}. ${remedy}`);
  }
  try {
    return { folder, roots: await readRootSecrets(folder.rootSecret) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new AppError('invalid_argument', `${folder.path} has no root secret yet. ${remedy}`, { cause });
  }
}

/** Opens the log for as long as the work takes. */
export async function withLog<Result>(
  { folder }: Installation,
  work: (log: EventLog) => Promise<Result>,
): Promise<Result> {
  const log = await openLocalEventLog({ path: folder.log, topics: Object.values(topics) });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
