/** Tests run on what `tsc -b` emitted: the very files that ship, with real workers and native modules. */
const base = { testEnvironment: 'node', transform: {} };
/** Black-box tests wait for processes and jobs; a machine with other work to do is not a failure. */
const patient = { ...base, testTimeout: 60_000 };

export default {
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{packages,services}/*/dist/**/*.test.js'] },
    { ...patient, displayName: 'integration', testMatch: ['<rootDir>/test/dist/{integration,faults}/**/*.test.js'] },
    {
      ...patient,
      displayName: 'acceptance',
      testMatch: ['<rootDir>/test/dist/acceptance/**/*.test.js'],
      globalSetup: '<rootDir>/test/dist/support/global-setup.js',
      globalTeardown: '<rootDir>/test/dist/support/global-teardown.js',
    },
  ],
};
