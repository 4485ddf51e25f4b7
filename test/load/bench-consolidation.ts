import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { openLocalEmbedder } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import type { Product } from '../support/product.js';
import { whetstoneCommand } from '../support/whetstone-command.js';
import { startContender } from './contenders.js';
import { type Asker, createAsker, timed } from './load.js';
import { repeatedUpload, unknownQuestion } from './repeated-uploads.js';
import { type Figure, median, percentile } from './report.js';

export interface ConsolidationLoad {
  uploads: number;
  tasks: number;
}

interface Server {
  product: Product;
  key: string;
  asker: Asker;
  consolidates: boolean;
  end(): Promise<void>;
}

const questions = 200;
const warmUp = 20;
const senders = 8;
const intervalMs = 1_000;
const askEveryMs = 50;
const logger = createLogger({ service: 'bench', level: 'error', pretty: false });

/**
 * The same uploads to a server that does not consolidate, and to one that does it at once and every second. They learn one
 * after the other, but questions go to both in turn, so that what else the machine does hits both alike.
 */
export async function benchConsolidation({ uploads, tasks }: ConsolidationLoad): Promise<Figure[]> {
  const [tenth, mostOfThem] = [Math.floor(uploads / 10), Math.floor(uploads * 0.8)];
  const embedder = await openLocalEmbedder({ logger });
  const off = await startServer(0);
  const on = await startServer(intervalMs);
  let asked = 0;
  const question = () => unknownQuestion(++asked, tasks);
  const ask = ({ asker }: Server) => timed(() => asker.enhance(question()));
  const embed = () => timed(() => embedder.embed(question(), 'interactive'));
  try {
    for (const server of [off, on]) await learn(server, { from: 0, to: tenth, tasks });
    const early = await askInTurn({ off: () => ask(off), on: () => ask(on), embedding: embed });
    const cpu: number[] = [];
    // Nobody asks meanwhile: questions would count, and learning gives way to them.
    for (const server of [off, on]) cpu.push(await learn(server, { from: tenth, to: mostOfThem, tasks }));
    const busy = await askWhileBothLearn(ask, off, on, { from: mostOfThem, to: uploads, tasks });
    const late = await askInTurn({ off: () => ask(off), on: () => ask(on), embedding: embed });
    const [plain, merged] = [await sizeOf(off), await sizeOf(on)];
    const [cpuOff = 0, cpuOn = 0] = cpu;
    const of = `${uploads.toLocaleString('en')} uploads at ${tasks.toLocaleString('en')} tasks`;
    // Against embedding alone in the same minutes: the two moments are far apart.
    const growth = (when: 'off' | 'on') => late[when] / late.embedding / (early[when] / early.embedding);
    return [
      { name: `rows of ${of}, consolidated`, value: merged.rows, baseline: plain.rows, unit: 'rows' },
      { name: 'knowledge.db, consolidated', value: merged.bytes / 1e6, baseline: plain.bytes / 1e6, unit: 'MB' },
      { name: 'enhance_task p50, consolidated', value: late.on, baseline: late.off, unit: 'ms' },
      {
        name: 'the same, against a tenth of the uploads',
        value: late.on,
        baseline: early.on,
        ratio: growth('on'),
        unit: 'ms',
      },
      {
        name: 'the same, not consolidated',
        value: late.off,
        baseline: early.off,
        ratio: growth('off'),
        unit: 'ms',
      },
      { name: 'CPU of consolidating, against learning', value: cpuOn - cpuOff, baseline: cpuOff, unit: 's' },
      { name: 'enhance_task p99 during passes, both learning', value: busy.on, baseline: busy.off, unit: 'ms' },
    ];
  } finally {
    for (const server of [off, on]) await server.end();
    await embedder.close();
  }
}

async function startServer(interval: number): Promise<Server> {
  const { product, key, url, end } = await startContender({
    WHETSTONE_CONSOLIDATION_INTERVAL_MS: String(interval),
    WHETSTONE_CONSOLIDATION_SETTLE_MS: '0',
  });
  const asker = createAsker(url, key);
  return {
    product,
    key,
    asker,
    consolidates: interval > 0,
    async end() {
      asker.close();
      await end();
    },
  };
}

/** Medians. */
async function askInTurn<Name extends string>(
  asks: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const turns = (Object.entries(asks) as [Name, () => Promise<number>][]).map(([name, ask]) => ({
    name,
    ask,
    taken: [] as number[],
  }));
  for (let round = 0; round < warmUp + questions; round++) {
    for (const { ask, taken } of turns) taken.push(await ask());
  }
  return Object.fromEntries(turns.map(({ name, taken }) => [name, median(taken.slice(warmUp))])) as Record<
    Name,
    number
  >;
}

/** 99th percentiles. */
async function askWhileBothLearn(
  ask: (server: Server) => Promise<number>,
  off: Server,
  on: Server,
  uploads: Uploads,
): Promise<{ off: number; on: number }> {
  const taken = { off: [] as number[], on: [] as number[] };
  let isLearning = true;
  const learning = Promise.all([learn(off, uploads), learn(on, uploads)]).finally(() => {
    isLearning = false;
  });
  while (isLearning) {
    taken.off.push(await ask(off));
    taken.on.push(await ask(on));
    await pause(askEveryMs);
  }
  await learning;
  return { off: percentile(taken.off, 0.99), on: percentile(taken.on, 0.99) };
}

interface Uploads {
  from: number;
  to: number;
  tasks: number;
}

/** Uploads, and waits until everything is learnt, and consolidated if that is on. Returns the CPU seconds it took. */
async function learn({ product, key, consolidates }: Server, { from, to, tasks }: Uploads): Promise<number> {
  const cpuBefore = await metric(product, 'process_cpu_seconds_total');
  let next = from;
  const send = async () => {
    for (let number = next++; number < to; number = next++) {
      await store(product, key, repeatedUpload(number, tasks, 'bench'));
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  while ((await metric(product, 'whetstone_jobs_total')) < to) await pause(200);
  // Nothing waits any more, and the last pass has ended.
  for (let quiet = 0; consolidates && quiet < 3; ) {
    await pause(intervalMs);
    quiet = (await metric(product, 'whetstone_consolidation_behind_seconds')) === 0 ? quiet + 1 : 0;
  }
  return (await metric(product, 'process_cpu_seconds_total')) - cpuBefore;
}

/** Once it has stopped. */
async function sizeOf({ product }: Server): Promise<{ rows: number; bytes: number }> {
  await product.stop();
  const { rows } = await whetstoneCommand({ WHETSTONE_DATA: product.dataFolder }).ask<{
    rows: Record<string, number>;
  }>('knowledge', 'stats');
  return {
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    bytes: (await stat(join(product.dataFolder, 'knowledge.db'))).size,
  };
}

async function store({ target }: Product, key: string, upload: object): Promise<void> {
  const answer = await fetch(`${target.baseUrl}/store_knowledge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(upload),
  });
  await answer.text();
  if (answer.status !== 202) throw new Error(`store_knowledge answered ${answer.status}`);
}

/** The sum over all labels. */
async function metric({ target }: Product, name: string): Promise<number> {
  const text = await (await fetch(`${target.opsUrl}/metrics`)).text();
  const samples = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}
