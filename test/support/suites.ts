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
  /** Whether it needs real Kafka and Milvus, and so what they need. */
  engines: boolean;
  /** Test files at a time; one where they share a product. Few: they share the machine with what they start. */
  atOnce?: number;
  surroundings?(): Promise<Surroundings>;
}

/** Folders whose tests need real Kafka or Milvus. */
const onEngines = 'integration/(kafka|milvus|cluster)/|faults/cluster/';

const clusterFaults: TestFiles = { project: 'integration', files: /^faults\/cluster\// };

/** `npm test`: everything, faults in their short form. */
export const testSuites: readonly Suite[] = [
  {
    name: 'integration',
    tests: [{ project: 'integration', files: new RegExp(`^(?!${onEngines})`) }],
    engines: false,
    atOnce: 2,
  },
  { name: 'acceptance', tests: [{ project: 'acceptance' }], engines: false },
  {
    name: 'engines',
    tests: [{ project: 'integration', files: /^integration\/(kafka|milvus)\// }],
    engines: true,
    atOnce: 2,
    surroundings: startSharedEngines,
  },
  {
    name: 'cluster',
    tests: [{ project: 'acceptance' }, { project: 'integration', files: /^integration\/cluster\// }],
    engines: true,
    surroundings: startSharedCluster,
  },
  { name: 'faults of the cluster', tests: [clusterFaults], engines: true },
];

/** `npm run test:faults`: each fault for as long as it takes. */
export const faultSuites: readonly Suite[] = [
  {
    name: 'faults of the standalone',
    tests: [{ project: 'integration', files: /^faults\/(?!cluster\/)/ }],
    engines: false,
  },
  { name: 'faults of the cluster', tests: [clusterFaults], engines: true },
];

/** What tests of faults look at to know how much time they have. */
export const fullFaults = { WHETSTONE_TEST_FAULTS: 'full' };
