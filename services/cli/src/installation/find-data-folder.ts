import { stat } from 'node:fs/promises';

import { type RootSecrets, readRootSecrets } from '@whetstone/identity';
import { AppError, type DataFolder, dataFolder } from '@whetstone/platform';

import type { CliIo, CommonOptions } from '../io.js';
import { clusterVariables } from './cluster-variables.js';

const remedy = 'Start the server once (npm start), or name its data folder: --data DIR or WHETSTONE_DATA=DIR';

/** The folder that the options or the environment name, whether or not it is there. */
export function dataFolderOf({ data }: CommonOptions, { env }: Pick<CliIo, 'env'>): DataFolder {
  return dataFolder(data ?? (env['WHETSTONE_DATA'] || './data'));
}

/** For commands on the files of a standalone server. Throws AppError `invalid_argument` where a cluster is meant. */
export function standaloneFolderOf(options: CommonOptions, io: Pick<CliIo, 'env'>): DataFolder {
  const ofCluster = Object.keys(clusterVariables(io.env));
  if (ofCluster.length === 0) return dataFolderOf(options, io);
  const message = `This command works on the data folder of a standalone server, but these variables name a cluster: ${ofCluster.join(', ')}.`;
  throw new AppError('invalid_argument', `${message} Back up Kafka and Milvus with their own tools.`);
}

/** Rejects if there is no installation: a folder without a root secret is none. */
export async function rootsIn(folder: DataFolder): Promise<RootSecrets> {
  if (!(await isFolder(folder.path))) {
    throw new AppError('invalid_argument', `There is no data folder at ${folder.path}. ${remedy}`);
  }
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
