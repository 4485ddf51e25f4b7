import type { CliIo, CommonOptions } from '../io.js';
import type { Installation } from './installation.js';

/** The installation that the options and the environment name. What it is made of is loaded then, and not for `--help`. */
export async function chooseInstallation({ data }: CommonOptions, { env }: Pick<CliIo, 'env'>): Promise<Installation> {
  const { findLocalInstallation } = await import('./local-installation.js');
  return findLocalInstallation(data ?? (env['WHETSTONE_DATA'] || './data'));
}
