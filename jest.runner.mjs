import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { default: circus } = require('jest-circus/runner');

/**
 * Runs a test file with jest-circus, but lets Node load its modules instead of jest's virtual machine: the same loader that
 * runs the product, at half the CPU time. Test files in the same worker share modules and globals.
 */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default function run(globalConfig, config, environment, _runtime, testPath, sendMessageToJest) {
  const loader = {
    requireInternalModule(path) {
      // Each file starts with no tests registered.
      delete globalThis[Symbol.for('EVENT_HANDLERS')];
      delete require.cache[path];
      return require(path);
    },
    requireModule: require,
    setGlobalsForRuntime() {},
    enterTestCode() {},
    leaveTestCode() {},
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(pathToFileURL(path).href),
  };
  // jest-circus ignores the timeout of a project.
  const { testTimeout } = config;
  const ownEnvironment = { ...environment, global: globalThis };
  return circus({ ...globalConfig, testTimeout }, config, ownEnvironment, loader, testPath, sendMessageToJest);
}
