import { AppError } from '@whetstone/platform';

import type { CliIo, CommonOptions } from '../io.js';
import { clusterVariables } from './cluster-variables.js';
import type { Installation } from './installation.js';

/**
 * The installation that is meant: a cluster where a variable of one is set, otherwise a data folder. What it is made of is
 * loaded here, so that `--help` does without any of it, and a data folder without what a cluster needs.
 */
export async function chooseInstallation({ data }: CommonOptions, { env }: Pick<CliIo, 'env'>): Promise<Installation> {
  const ofCluster = Object.keys(clusterVariables(env));
  if (ofCluster.length === 0) {
    const { findLocalInstallation } = await import('./local-installation.js');
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
