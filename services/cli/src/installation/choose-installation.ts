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
    const { findLocalInstallation } = await loadPart(() => {
      // Loaded later, if at all; where it is missing, there is no data folder either.
      import.meta.resolve('@whetstone/indexer');
      return import('./local-installation.js');
    }, noDataFolders);
    return findLocalInstallation(dataFolderOf(options, { env }), env);
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
