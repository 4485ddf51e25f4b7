import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

import { benchBatch } from './bench-batch.js';
import { benchEnhance } from './bench-enhance.js';
import { benchFootprint } from './bench-footprint.js';
import { benchLearning } from './bench-learning.js';
import { benchStore } from './bench-store.js';
import { benchCluster } from './cluster/bench-cluster.js';
import { type Figure, printFigures } from './report.js';

const usage = `Measures Whetstone on this machine, each figure with its baseline in the same run.

  npm run bench                        everything, about five minutes
  npm run bench -- store enhance       only these: footprint, store, batch, enhance, learning
  npm run bench -- --cluster           four services on real Kafka and Milvus Lite instead, about four minutes
  npm run bench -- --json FILE         the figures also as JSON
`;

const benches: Record<string, () => Promise<Figure[]>> = {
  footprint: benchFootprint,
  store: benchStore,
  batch: benchBatch,
  enhance: benchEnhance,
  learning: benchLearning,
};

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  const jsonAt = args.indexOf('--json');
  const file = jsonAt < 0 ? undefined : args[jsonAt + 1];
  const wanted = args.filter((arg) => Object.hasOwn(benches, arg));
  console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? process.arch}\n`);
  const figures = args.includes('--cluster') ? await benchCluster() : await benchStandalone(wanted);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
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

await main(process.argv.slice(2));
