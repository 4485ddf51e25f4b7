import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

import { benchAttack } from './bench-attack.js';
import { benchBatch } from './bench-batch.js';
import { benchClient } from './bench-client.js';
import { benchConsolidation } from './bench-consolidation.js';
import { benchEnhance } from './bench-enhance.js';
import { benchFootprint } from './bench-footprint.js';
import { benchLearning } from './bench-learning.js';
import { benchLessons } from './bench-lessons.js';
import { benchScale } from './bench-scale.js';
import { benchStore } from './bench-store.js';
import { benchTraces } from './bench-traces.js';
import { benchCluster } from './cluster/bench-cluster.js';
import { type Figure, printFigures } from './report.js';

const usage = `Measures Whetstone on this machine, each figure with its baseline in the same run.

  npm run bench                        everything, about five minutes
  npm run bench -- store enhance       only these: footprint, store, batch, enhance, learning, lessons, traces, client,
                                       attack
  npm run bench -- consolidation       the same tasks again and again, with and without consolidation, about five minutes;
                                       [--uploads 10000] [--tasks 200]
  npm run bench -- scale               up to a million insights, and up to 10,000 collections, about ten minutes;
                                       [--insights 1000000] [--collections 10000] [--vector-cache-mb 512]
  npm run bench -- --cluster           four services on real Kafka and Milvus Lite instead, about four minutes
  npm run bench -- --json FILE         the figures also as JSON
`;

const benches: Record<string, () => Promise<Figure[]>> = {
  footprint: benchFootprint,
  store: benchStore,
  batch: benchBatch,
  enhance: benchEnhance,
  learning: benchLearning,
  lessons: benchLessons,
  traces: benchTraces,
  client: benchClient,
  attack: benchAttack,
};

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  const file = optionOf(args, '--json');
  const wanted = args.filter((arg) => Object.hasOwn(benches, arg));
  console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? process.arch}\n`);
  const figures = args.includes('--cluster')
    ? await benchCluster()
    : args.includes('consolidation')
      ? await benchRepeated(args)
      : args.includes('scale')
        ? await benchSizes(args)
        : await benchStandalone(wanted);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
}

function optionOf(args: string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
}

async function benchStandalone(wanted: string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const measured = await bench();
    printFigures(measured);
    figures.push(...measured);
  }
  return figures;
}

/** Takes too long to be part of everything. */
async function benchRepeated(args: string[]): Promise<Figure[]> {
  const uploads = Number(optionOf(args, '--uploads') ?? 10_000);
  const figures = await benchConsolidation({ uploads, tasks: Number(optionOf(args, '--tasks') ?? 200) });
  printFigures(figures);
  return figures;
}

async function benchSizes(args: string[]): Promise<Figure[]> {
  const figures = await benchScale({
    insights: Number(optionOf(args, '--insights') ?? 1_000_000),
    collections: Number(optionOf(args, '--collections') ?? 10_000),
    vectorCacheMb: Number(optionOf(args, '--vector-cache-mb') ?? 512),
  });
  printFigures(figures);
  return figures;
}

await main(process.argv.slice(2));
