import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const asyncHooks = require('node:async_hooks');
const { default: circus } = require('jest-circus/runner');

const { AsyncLocalStorage } = asyncHooks;
const storages = [];

class RecordedStorage extends AsyncLocalStorage {
  constructor(...args) {
    super(...args);
    storages.push(this);
  }
}

/**
 * Runs a test file with jest-circus, but lets Node load its modules instead of jest's virtual machine: the same loader that
 * runs the product, at half the CPU time. Test files in the same worker share modules and globals.
 */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default function run(globalConfig, config, environment, _runtime, testPath, sendMessageToJest) {
  const loader = {
    requireInternalModule: requireAgain,
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

/**
 * A fresh jest-circus, so that each file starts with no tests registered. Drops what it kept of the file before: its tests
 * with all that they hold, and its async storage, which would slow down every promise from then on.
 */
function requireAgain(path) {
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  for (const storage of storages.splice(0)) storage.disable();
  asyncHooks.AsyncLocalStorage = RecordedStorage;
  try {
    return require(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}
