import { AppError } from '@whetstone/platform';

import type { CliIo, CommonOptions } from '../io.js';
import { clusterVariables } from './cluster-variables.js';
import type { Installation } from './installation.js';
import { loadPart } from './load-part.js';

const noDataFolders =
  'No variable of a cluster is set, and this container carries nothing that reads a data folder: set the variables that its service has (whetstone --help names them), or run the command in a standalone container';

/**
 * The installation that is meant: a cluster where a variable of one is set, otherwise a data folder. What it is made of is
 * loaded here, so that `--help` does without any of it, and a data folder without what a cluster needs.
 */
export async function chooseInstallation({ data }: CommonOptions, { env }: Pick<CliIo, 'env'>): Promise<Installation> {
  const ofCluster = Object.keys(clusterVariables(env));
  if (ofCluster.length === 0) {
    const { findLocalInstallation } = await loadPart(() => import('./local-installation.js'), noDataFolders);
    return findLocalInstallation(data ?? (env['WHETSTONE_DATA'] || './data'), env);
  }
  if (data !== undefined) {
    throw new AppError(
      'invalid_argument',
      `--data ${data} is about a data folder, and a cluster is meant where this is set: ${ofCluster.join(', ')}. Leave out the one or the other.`,
    );
  }
  const { createClusterInstallation } = await import('./cluster-installation.js');
  return createClusterInstallation(env);
}
