import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { workflowCollectionIdOf } from '@whetstone/identity';
import { type Embedder, openLocalVectorStore, type VectorStore } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { startContender } from './contenders.js';
import { type Asker, createAsker, takeTurns } from './load.js';
import { type Figure, median } from './report.js';
import { sampleTasks } from './samples.js';
import { atSizes, embedCentres, seedKnowledge } from './seed-knowledge.js';

const sizeWithDecisions = 10_000;
const sizes = [sizeWithDecisions, 100_000];
const questions = 100;
/** Of lessons that people have decided on, one in so many is muted; the others are approved. */
const mutedEvery = 10;
const logger = createLogger({ service: 'bench', level: 'error', pretty: false });

/**
 * The first page of lessons against the search alone, and `enhance_task` with decisions and review in use against the same without.
 */
export function benchLessons(): Promise<Figure[]> {
  return atSizes(sizes, benchSize);
}

async function benchSize(size: number, embedder: Embedder): Promise<Figure[]> {
  const scopes = ' --scope ask --scope record --scope curate --scope admin';
  const { account, key, product, folder, url, end } = await startContender({}, scopes);
  const open = (path: string) => openLocalVectorStore({ path, model: embedder.model, cacheBytes: 256 << 20, logger });
  let store: VectorStore | undefined;
  try {
    const path = join(product.dataFolder, 'knowledge.db');
    const seeded = await open(path);
    for (const name of ['bench', 'decided']) {
      await seedKnowledge(seeded, { account, name, count: size, asLessons: true }, await embedCentres(embedder));
    }
    await seeded.close();
    // A copy of its own, so that the server's work and the baseline share nothing but the machine.
    await copyFile(path, join(folder, 'copy.db'));
    store = await open(join(folder, 'copy.db'));
    const asker = createAsker(url, key);
    const lists = await benchLists(asker, store, workflowCollectionIdOf(account, 'bench'), embedder);
    const decisions = size === sizeWithDecisions ? [await benchDecisions(asker)] : [];
    asker.close();
    const insights = `${size.toLocaleString('en')} insights`;
    return [...lists, ...decisions].map((figure) => ({ ...figure, name: `${figure.name}, ${insights}` }));
  } finally {
    await store?.close();
    await end();
  }
}

async function benchLists(
  asker: Asker,
  store: VectorStore,
  collectionId: string,
  embedder: Embedder,
): Promise<Figure[]> {
  const search = async (text: string) =>
    store.search(collectionId, { vector: embedder.embed(text, 'interactive'), text, limit: 60 });
  const page = (more: string) => asker.send('GET', `/lessons?tenant_id=bench&limit=50${more}`);
  const about = (text: string) => page(`&q=${encodeURIComponent(text)}`);
  const ways: [string, (text: string) => Promise<unknown>][] = [
    ['GET /lessons p50, the latest', () => page('&sort=recent')],
    ['GET /lessons p50, the best supported', () => page('&sort=support')],
    ['GET /lessons p50, about a task', about],
  ];
  const figures: Figure[] = [];
  for (const [name, list] of ways) {
    await takeTurns(list, search, sampleTasks(10));
    const { measuredMs, baselineMs } = await takeTurns(list, search, sampleTasks(questions));
    figures.push({ name, value: median(measuredMs), baseline: median(baselineMs), unit: 'ms', goal: '≤ 3×' });
  }
  return figures;
}

async function benchDecisions(asker: Asker): Promise<Figure> {
  for (const [at, { id }] of (await allLessons(asker)).entries()) {
    const state = at % mutedEvery === 0 ? 'muted' : 'approved';
    await asker.send('PATCH', `/lessons/${id}?tenant_id=decided`, { state });
  }
  await asker.send('PATCH', '/collections?tenant_id=decided', { review: 'required' });
  // Each in words of its own: no text is embedded twice.
  const ask = (tenant: string) => (text: string) => asker.enhance(`${text}: ${tenant}`, tenant);
  await takeTurns(ask('decided'), ask('bench'), sampleTasks(20));
  const { measuredMs, baselineMs } = await takeTurns(ask('decided'), ask('bench'), sampleTasks(3 * questions));
  const name = 'enhance_task p50 with review, every lesson decided on';
  return { name, value: median(measuredMs), baseline: median(baselineMs), unit: 'ms', goal: '≤ 1.03×' };
}

async function allLessons(asker: Asker): Promise<{ id: string }[]> {
  const found: { id: string }[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await asker.send('GET', `/lessons?tenant_id=decided&limit=200${from}`)) as Page;
    found.push(...page.lessons);
    cursor = page.cursor;
  }
  return found;
}

interface Page {
  lessons: { id: string }[];
  cursor?: string;
}
