import type { EngineName } from '@whetstone/deploy';

import { startSharedCluster } from './shared-cluster.js';
import { startSharedEngines } from './shared-engines.js';

/** What a suite runs in, made before it and ended after it. */
export interface Surroundings {
  env: Record<string, string>;
  stop(): Promise<void>;
}

export interface TestFiles {
  /** Of jest.config.mjs. */
  project: 'integration' | 'acceptance';
  /** Which files of the project, by their path below `test/`; all of them when it is not said. */
  files?: RegExp;
}

/** Test files that share their surroundings. */
export interface Suite {
  name: string;
  tests: readonly TestFiles[];
  /** Which real engines it needs, and so what they need. */
  engines: readonly EngineName[];
  /** Test files at a time; one where they share a product. Few: they share the machine with what they start. */
  atOnce?: number;
  surroundings?(): Promise<Surroundings>;
}

const forCluster: readonly EngineName[] = ['kafka', 'milvus'];

/** Folders whose tests need real engines. */
const onEngines = 'integration/(kafka|milvus|cluster|model|chart)/|faults/cluster/';

/** Tests of a cluster that start one, or its engines, themselves. */
const withOwnCluster = '(cli|npm-run-cluster|trace)\\.';

const clusterFaults: TestFiles = { project: 'integration', files: /^faults\/cluster\// };

/**
 * `npm test`: everything, faults in their short form. Begun in this order, two at a time: what needs no engines first, since those
 * are fetched meanwhile, what needs the tools that take longest to build last, and so that both end at about the same time.
 */
export const testSuites: readonly Suite[] = [
  {
    name: 'integration',
    tests: [{ project: 'integration', files: new RegExp(`^(?!${onEngines})`) }],
    engines: [],
    atOnce: 2,
  },
  { name: 'acceptance', tests: [{ project: 'acceptance' }], engines: [] },
  {
    name: 'engines',
    tests: [{ project: 'integration', files: /^integration\/(kafka|milvus)\// }],
    engines: forCluster,
    atOnce: 2,
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
      { project: 'acceptance' },
      { project: 'integration', files: new RegExp(`^integration/cluster/(?!${withOwnCluster})`) },
    ],
    engines: forCluster,
    surroundings: startSharedCluster,
  },
  { name: 'faults of the cluster', tests: [clusterFaults], engines: forCluster },
  {
    name: 'model',
    tests: [{ project: 'integration', files: /^integration\/model\// }],
    engines: ['model server'],
  },
  {
    name: 'chart',
    tests: [{ project: 'integration', files: /^integration\/chart\// }],
    engines: ['chart tools'],
    atOnce: 2,
  },
];

/** `npm run test:faults`: each fault for as long as it takes. */
export const faultSuites: readonly Suite[] = [
  {
    name: 'faults of the standalone',
    tests: [{ project: 'integration', files: /^faults\/(?!cluster\/)/ }],
    engines: [],
  },
  { name: 'faults of the cluster', tests: [clusterFaults], engines: forCluster },
];

/** What tests of faults look at to know how much time they have. */
export const fullFaults = { WHETSTONE_TEST_FAULTS: 'full' };
