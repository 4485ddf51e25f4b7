import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Layout of the data folder of a standalone server; the command line opens the same files. */
export interface DataFolder {
  readonly path: string;
  /** One root secret per line, the current one first. */
  readonly rootSecret: string;
  readonly log: string;
  readonly status: string;
  readonly activity: string;
  readonly knowledge: string;
  readonly serverLock: string;
}

export function dataFolder(path: string): DataFolder {
  const root = resolve(path);
  return {
    path: root,
    rootSecret: join(root, 'root.secret'),
    log: join(root, 'log.db'),
    status: join(root, 'status.db'),
    activity: join(root, 'activity.db'),
    knowledge: join(root, 'knowledge.db'),
    serverLock: join(root, 'server.lock'),
  };
}

/** The first file of the folder, or the folder itself, that this process may not write; `undefined` if it may write all. */
export async function readOnlyPathIn(folder: DataFolder): Promise<string | undefined> {
  for (const path of [folder.path, folder.serverLock, folder.log, folder.status, folder.activity, folder.knowledge]) {
    try {
      await access(path, constants.W_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
    }
  }
  return undefined;
}
