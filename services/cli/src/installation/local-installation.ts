import { stat } from 'node:fs/promises';

import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { type RootSecrets, readRootSecrets } from '@whetstone/identity';
import { openLocalVectorStore } from '@whetstone/indexer';
import { AppError, type DataFolder, dataFolder } from '@whetstone/platform';

import type { Installation } from './installation.js';
import { openKnowledge } from './open-knowledge.js';
import { type PartOpeners, useParts } from './use-parts.js';

const remedy = 'Start the server once (npm start), or say where its data is: --data DIR or WHETSTONE_DATA=DIR';

/** The installation that a data folder holds, with or without a server that runs on it. */
export async function findLocalInstallation(path: string): Promise<Installation> {
  const folder = dataFolder(path);
  if (!(await isFolder(folder.path))) {
    throw new AppError('invalid_argument', `There is no data folder ${folder.path}. ${remedy}`);
  }
  // Also where a command needs no secret: a folder without one is no installation.
  const roots = await rootsIn(folder);
  const openers: PartOpeners = {
    roots: async () => ({ part: roots, close: async () => {} }),
    async log() {
      const log = await openLocalEventLog({ path: folder.log, topics: Object.values(topics) });
      return { part: log, close: log.close };
    },
    knowledge: () => openKnowledge((options) => openLocalVectorStore({ path: folder.knowledge, ...options })),
  };
  return { use: (names, work) => useParts(openers, names, work) };
}

async function rootsIn(folder: DataFolder): Promise<RootSecrets> {
  try {
    return await readRootSecrets(folder.rootSecret);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new AppError('invalid_argument', `${folder.path} has no root secret yet. ${remedy}`, { cause });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
