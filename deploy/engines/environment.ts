import { homedir } from 'node:os';
import { join } from 'node:path';

/** What this tool of developers takes from the caller's environment; tests and programs start engines alike, so it is read here. */
// biome-ignore lint/style/noProcessEnv: the one place of this package
const ownEnvironment = () => process.env;

/** Outside the checkout, so that `npm ci` and `git clean` leave it alone. */
export function cacheFolder(env: NodeJS.ProcessEnv = ownEnvironment()): string {
  const base = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(base, 'whetstone');
}

/** The programs `java` to try, best first. */
export function javaCandidates(env: NodeJS.ProcessEnv = ownEnvironment()): string[] {
  const home = env['JAVA_HOME'];
  return home ? [join(home, 'bin', 'java'), 'java'] : ['java'];
}

/** For the processes of a cluster: nothing of the developer's own settings of Whetstone, Node or telemetry. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = ownEnvironment()): NodeJS.ProcessEnv {
  const ours = /^(WHETSTONE_|OTEL_|NODE_OPTIONS$|NODE_ENV$|JEST_)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
