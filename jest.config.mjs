import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';

/** How long test files took, so that the longest begin first; not among the temporary folders of a run, which go with it. */
const cacheDirectory = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'whetstone', 'jest');

/** Tests run on what `tsc -b` emitted: the very files that ship, with real workers and native modules. */
const base = { testEnvironment: 'node', transform: {}, cacheDirectory };

export default {
  /** Unit tests wait for much; with one more at a time than there are cores, these do not. Suites say how many they stand. */
  maxWorkers: availableParallelism() + 1,
  /** A machine that has other work to do is not a failure. (Jest takes this here only, not from a project.) */
  testTimeout: 600_000,
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{packages/*,services/*,deploy}/dist/**/*.test.js'] },
    {
      ...base,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/dist/{integration,faults,eval,kubernetes,mutants,uplift}/**/*.test.js'],
    },
    {
      ...base,
      displayName: 'acceptance',
      testMatch: ['<rootDir>/test/dist/acceptance/**/*.test.js'],
      globalSetup: '<rootDir>/test/dist/support/global-setup.js',
      globalTeardown: '<rootDir>/test/dist/support/global-teardown.js',
    },
  ],
};
