import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';

/** Remembers how long each test file took, so that the longest start first. Outside the temporary folders of a run. */
const cacheDirectory = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'whetstone', 'jest');

/** Where tests start whole services, clients and servers, rather than call a module. */
const components = ['<rootDir>/clients/', '<rootDir>/packages/rpc/', '<rootDir>/services/[^/]+/dist/(?!domain/)'];

/** Tests run on what `tsc -b` emitted: the files that ship, with real workers and native modules. */
const base = {
  testEnvironment: 'node',
  transform: {},
  testRunner: '<rootDir>/jest.runner.mjs',
  cacheDirectory,
};

const besideSources = {
  testMatch: ['<rootDir>/{clients/*,packages/*,services/*,deploy}/dist/**/*.test.js'],
  globalSetup: '<rootDir>/jest.setup.mjs',
  testTimeout: 60_000,
};

export default {
  /** Tests spend much of their time waiting, so one more than there are cores. Suites set their own number. */
  maxWorkers: availableParallelism() + 1,
  projects: [
    {
      ...base,
      ...besideSources,
      displayName: 'unit',
      testPathIgnorePatterns: components,
    },
    {
      ...base,
      ...besideSources,
      displayName: 'component',
      testPathIgnorePatterns: [`^(?!${components.join('|')})`],
    },
    {
      ...base,
      displayName: 'integration',
      testMatch: [
        '<rootDir>/test/dist/{clients,integration,console,faults,eval,kubernetes,mutants,uplift}/**/*.test.js',
      ],
      testTimeout: 300_000,
    },
    {
      ...base,
      displayName: 'acceptance',
      testMatch: ['<rootDir>/test/dist/acceptance/**/*.test.js'],
      globalSetup: '<rootDir>/test/dist/support/global-setup.js',
      globalTeardown: '<rootDir>/test/dist/support/global-teardown.js',
      testTimeout: 240_000,
    },
  ],
};
