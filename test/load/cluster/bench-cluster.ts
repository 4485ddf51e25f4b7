import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Cluster, startCluster } from '@whetstone/deploy';

import { type Figure, printFigures } from '../report.js';
import { benchAppending } from './bench-appending.js';
import { benchMemory } from './bench-memory.js';
import { benchScaling } from './bench-scaling.js';
import { benchSearching } from './bench-searching.js';

/** A cluster and a valid key. */
export interface Bench {
  cluster: Cluster;
  key: string;
  account: string;
}

/** One process per service by default: the benchmark measures the path, not the number of cores. */
const one = { gateway: 1, status: 1, indexer: 1, analyser: 1 };
const slowAnalyses = { WHETSTONE_ANALYSIS_THREADS: '4', NODE_OPTIONS: `--import=${scriptOf('slow-reflector')}` };

export async function benchCluster(): Promise<Figure[]> {
  return [
    ...(await measure({ replicas: one }, [benchMemory, benchSearching, benchAppending])),
    ...(await measure({ replicas: { ...one, analyser: 2 }, analyser: slowAnalyses }, [benchScaling])),
  ];
}

interface Composition {
  replicas: typeof one;
  /** Settings for the analysers. */
  analyser?: Record<string, string>;
}

async function measure(
  { replicas, analyser }: Composition,
  benches: ((bench: Bench) => Promise<Figure[]>)[],
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const quiet = { WHETSTONE_LOG_LEVEL: 'error' };
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster({
      folder,
      replicas,
      settings: {
        gateway: { ...quiet, WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0' },
        status: quiet,
        indexer: quiet,
        analyser: { ...quiet, ...analyser },
      },
    });
    const { key, account } = await cluster.operator.issueKey('bench');
    const figures: Figure[] = [];
    for (const bench of benches) {
      const measured = await bench({ cluster, key, account });
      printFigures(measured);
      figures.push(...measured);
    }
    return figures;
  } finally {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}
