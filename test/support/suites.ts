import type { EngineName } from '@whetstone/deploy';

import { missingBrowser } from '../console/browser.js';
import { startSharedCluster } from './shared-cluster.js';
import { startSharedEngines } from './shared-engines.js';

/** What a suite runs in: started before it and stopped after it. */
export interface Surroundings {
  env: Record<string, string>;
  stop(): Promise<void>;
}

export interface TestFiles {
  /** Of jest.config.mjs. */
  project: 'component' | 'integration' | 'acceptance';
  /** Files of the project, by their path below `test/`; all by default. */
  files?: RegExp;
  /** Files at a time; one by default. */
  atOnce?: number;
}

/** Test files that share their surroundings. */
export interface Suite {
  name: string;
  tests: readonly TestFiles[];
  /** Real engines that it needs. */
  engines: readonly EngineName[];
  /** Why it cannot run on this machine, whatever is fetched. */
  missing?(): Promise<string | undefined>;
  /** No other suite runs meanwhile: its jobs have deadlines, which a busy machine would exceed. */
  alone?: boolean;
  surroundings?(): Promise<Surroundings>;
}

const forCluster: readonly EngineName[] = ['kafka', 'milvus'];

/** Sweeps for the long run; the unit tests have a short form of them. */
const atLength = 'integration/vector-store\\.';

/** Tests that need real engines or other fetched parts. */
const onEngines = 'integration/(kafka|milvus|cluster|model|chart)/|faults/cluster/|clients/';

/** Tests that need a browser. */
const inBrowser = 'console/';

/** Cluster tests that start their own cluster or engines. */
const withOwnCluster = '(cli|npm-run-cluster|trace)\\.';

/** Files of bad input watch the memory of the product, so nothing else uses it meanwhile. */
const acceptance: readonly TestFiles[] = [
  { project: 'acceptance', files: /^acceptance\/(?!bad-input\/)/, atOnce: 3 },
  { project: 'acceptance', files: /^acceptance\/bad-input\// },
];

const clusterFaults: TestFiles = { project: 'integration', files: /^faults\/cluster\// };

/**
 * `npm test`: everything, with the short form of the faults. Starts in this order, two at a time: first what needs no engines,
 * which are fetched meanwhile; last what needs the tools that take longest to build.
 */
export const testSuites: readonly Suite[] = [
  { name: 'component', tests: [{ project: 'component', atOnce: 2 }], engines: [] },
  {
    name: 'integration',
    tests: [{ project: 'integration', files: new RegExp(`^(?!${onEngines}|${inBrowser}|${atLength})`), atOnce: 2 }],
    engines: [],
  },
  { name: 'acceptance', tests: acceptance, engines: [] },
  {
    name: 'console',
    tests: [{ project: 'integration', files: new RegExp(`^${inBrowser}`), atOnce: 2 }],
    engines: [],
    missing: missingBrowser,
  },
  {
    name: 'engines',
    tests: [{ project: 'integration', files: /^integration\/(kafka|milvus)\//, atOnce: 2 }],
    engines: forCluster,
    surroundings: startSharedEngines,
  },
  {
    name: 'clusters of their own',
    tests: [{ project: 'integration', files: new RegExp(`^integration/cluster/${withOwnCluster}`) }],
    engines: forCluster,
  },
  {
    name: 'cluster',
    tests: [
      ...acceptance,
      { project: 'integration', files: new RegExp(`^integration/cluster/(?!${withOwnCluster})`), atOnce: 3 },
    ],
    engines: forCluster,
    surroundings: startSharedCluster,
  },
  {
    name: 'faults of the cluster',
    // The standalone's planted bugs prove the checker.
    tests: [{ project: 'integration', files: /^faults\/cluster\/(?!planted-bugs\.)/ }],
    engines: forCluster,
    alone: true,
  },
  {
    name: 'python client',
    tests: [{ project: 'integration', files: /^clients\/python\./ }],
    engines: ['python packages'],
  },
  {
    name: 'openapi',
    tests: [{ project: 'integration', files: /^clients\/openapi\./ }],
    engines: ['openapi tools'],
  },
  {
    name: 'collector',
    tests: [{ project: 'integration', files: /^clients\/collector\./ }],
    engines: ['collector'],
  },
  {
    name: 'model',
    tests: [{ project: 'integration', files: /^integration\/model\// }],
    engines: ['model server'],
  },
  {
    name: 'chart',
    tests: [{ project: 'integration', files: /^integration\/chart\//, atOnce: 2 }],
    engines: ['chart tools'],
  },
];

/** `npm run test:faults`: each fault and sweep at full length. */
export const faultSuites: readonly Suite[] = [
  {
    name: 'faults of the standalone',
    tests: [{ project: 'integration', files: /^faults\/(?!cluster\/)/ }],
    engines: [],
  },
  { name: 'faults of the cluster', tests: [clusterFaults], engines: forCluster },
  {
    name: 'stores in every order',
    tests: [{ project: 'integration', files: new RegExp(`^(${atLength}|integration/milvus/conformance)`) }],
    engines: ['milvus'],
  },
];

/** Tells the faults and sweeps to run at full length. */
export const fullFaults = { WHETSTONE_TEST_FAULTS: 'full' };
