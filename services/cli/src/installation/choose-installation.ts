import { AppError } from '@whetstone/platform';

import type { CliIo, CommonOptions } from '../io.js';
import { clusterVariables } from './cluster-variables.js';
import { dataFolderOf } from './find-data-folder.js';
import type { Installation } from './installation.js';
import { loadPart } from './load-part.js';

const noDataFolders =
  'This container cannot read a data folder, and no cluster variable is set: set the variables of its service (see whetstone --help), or run the command in a standalone container';

/** A cluster if one of its variables is set, otherwise a data folder. Loads each on demand, so that `--help` needs neither. */
export async function chooseInstallation(options: CommonOptions, { env }: Pick<CliIo, 'env'>): Promise<Installation> {
  const { data } = options;
  const ofCluster = Object.keys(clusterVariables(env));
  if (ofCluster.length === 0) {
    const { findLocalInstallation } = await import('./local-installation.js');
    return findLocalInstallation(dataFolderOf(options, { env }), env).catch(async (error: unknown) => {
      // The container of a service has no data folder, and could not read one.
      await loadPart(() => import('@whetstone/indexer'), noDataFolders);
      throw error;
    });
  }
  if (data !== undefined) {
    throw new AppError(
      'invalid_argument',
      `--data ${data} names a data folder, but these variables name a cluster: ${ofCluster.join(', ')}. Use one or the other.`,
    );
  }
  const { createClusterInstallation } = await import('./cluster-installation.js');
  return createClusterInstallation(env);
}
