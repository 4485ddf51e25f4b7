import type { ConfigSchema, Environment } from './config-schema.js';
import { loadMergedConfig } from './load-config.js';

/** The configuration of a process that cannot begin without it: mistakes go to standard error, and that is its end. */
export function configOrExit<Config>(schemas: readonly ConfigSchema[], env: Environment): Config {
  try {
    return loadMergedConfig(schemas, env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
