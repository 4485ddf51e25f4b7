import { homedir } from 'node:os';
import { join } from 'node:path';

/** Read here because both tests and programs start engines. */
// biome-ignore lint/style/noProcessEnv: the one place of this package
const ownEnvironment = () => process.env;

/** Outside the checkout, so that `npm ci` and `git clean` leave it alone. */
export function cacheFolder(env: NodeJS.ProcessEnv = ownEnvironment()): string {
  const base = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(base, 'whetstone');
}

/** `java` programs to try, best first. */
export function javaCandidates(env: NodeJS.ProcessEnv = ownEnvironment()): string[] {
  const home = env['JAVA_HOME'];
  return home ? [join(home, 'bin', 'java'), 'java'] : ['java'];
}

/** For the processes of a cluster: without the developer's own settings for Whetstone, Node and telemetry. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = ownEnvironment()): NodeJS.ProcessEnv {
  const ours = /^(WHETSTONE_|OTEL_|NODE_OPTIONS$|NODE_ENV$|JEST_)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
