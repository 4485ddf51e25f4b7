import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defaultModel, openLocalEmbedder, openLocalVectorStore } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';
import { residentMegabytes } from './bench-footprint.js';
import { createAsker, timed } from './load.js';
import { type Figure, median, percentile } from './report.js';
import { sampleTask } from './samples.js';
import { type Centre, embedCentres, seedKnowledge } from './seed-knowledge.js';

/** Collections of equal size. */
interface Size {
  collections: number;
  insights: number;
}

type Measured = Record<'disk' | 'start' | 'first' | 'p50' | 'p99' | 'memory' | 'deletion', number>;

const units: Record<keyof Measured, [name: string, unit: string]> = {
  disk: ['knowledge.db', 'MB'],
  start: ['start to ready', 's'],
  first: ['first question', 'ms'],
  p50: ['enhance_task p50', 'ms'],
  p99: ['enhance_task p99', 'ms'],
  memory: ['memory after that', 'MB'],
  deletion: ['delete_by_intent', 'ms'],
};

const questions = 200;
/** Fewer questions if they take longer than this. */
const askForMs = 60_000;
/** A collection that does not fit in memory is searched on disk. */
const patience = { WHETSTONE_ENHANCE_TIMEOUT_MS: '60000', WHETSTONE_DELETE_TIMEOUT_MS: '600000' };
const logger = createLogger({ service: 'bench', level: 'error', pretty: false });

export interface ScaleOptions {
  /** Largest collection, and largest number of collections with 100 insights each. */
  insights: number;
  collections: number;
  vectorCacheMb: number;
}

/** One collection that grows, then more and more collections; each figure against the size before, a tenth. */
export async function benchScale({ insights, collections, vectorCacheMb }: ScaleOptions): Promise<Figure[]> {
  const embedder = await openLocalEmbedder({ logger });
  const centres = await embedCentres(embedder).finally(() => embedder.close());
  const growths = [
    tenfold(10_000, insights).map((count) => ({ collections: 1, insights: count })),
    tenfold(100, collections).map((count) => ({ collections: count, insights: 100 })),
  ];
  const figures: Figure[] = [];
  for (const sizes of growths) {
    let before: Measured | undefined;
    for (const size of sizes) {
      const measured = await measure(size, centres, vectorCacheMb);
      figures.push(...figuresOf(size, measured, before));
      before = measured;
    }
  }
  return figures;
}

function tenfold(from: number, to: number): number[] {
  return from > to ? [] : [from, ...tenfold(10 * from, to)];
}

async function measure(size: Size, centres: Centre[], vectorCacheMb: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
  const env = { ...patience, WHETSTONE_LOG_LEVEL: 'error', WHETSTONE_VECTOR_CACHE_MB: String(vectorCacheMb) };
  try {
    const empty = await startProduct({ folder, env });
    const { key, account } = await createAccounts(empty.target).open('bench');
    await empty.stop();
    await seed(join(empty.dataFolder, 'knowledge.db'), account, size, centres);

    const began = performance.now();
    const product = await startProduct({ folder, env });
    const start = (performance.now() - began) / 1000;
    const asker = createAsker(product.target.baseUrl, key);
    try {
      const ask = () => timed(() => asker.enhance(sampleTask(), nameOf(Math.floor(Math.random() * size.collections))));
      const first = await ask();
      const times: number[] = [];
      const until = performance.now() + askForMs;
      while (times.length < questions && performance.now() < until) times.push(await ask());
      const intent = encodeURIComponent(centres[0]?.intent ?? '');
      const deletion = await timed(() =>
        asker.send('POST', `/delete_by_intent?tenant_id=${nameOf(0)}&intent=${intent}&similarity_threshold=0.9`),
      );
      const memory = await residentMegabytes(product.target);
      const disk = (await stat(join(product.dataFolder, 'knowledge.db'))).size / 1e6;
      return { disk, start, first, p50: median(times), p99: percentile(times, 0.99), memory, deletion };
    } finally {
      asker.close();
      await product.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function seed(path: string, account: string, { collections, insights }: Size, centres: Centre[]): Promise<void> {
  const store = await openLocalVectorStore({ path, model: defaultModel, cacheBytes: 16 << 20, logger });
  try {
    for (let number = 0; number < collections; number++) {
      await seedKnowledge(store, { account, name: nameOf(number), count: insights }, centres);
    }
  } finally {
    await store.close();
  }
}

function nameOf(collection: number): string {
  return `scale-${collection}`;
}

function figuresOf({ collections, insights }: Size, measured: Measured, before: Measured | undefined): Figure[] {
  const [many, each] = [collections.toLocaleString('en'), insights.toLocaleString('en')];
  const of = collections === 1 ? `${each} insights` : `${many} collections of ${each}`;
  return (Object.keys(units) as (keyof Measured)[]).map((what) => {
    const [name, unit] = units[what];
    return { name: `${of}: ${name}`, value: measured[what], ...(before && { baseline: before[what] }), unit };
  });
}
