import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLocalEmbedder } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { createAccounts } from '../support/accounts.js';
import { startProduct } from '../support/product.js';
import { residentMegabytes } from './footprint.js';
import { type Figure, median } from './report.js';
import { sampleTask } from './sample-tasks.js';
import { seedKnowledge } from './seed-knowledge.js';

const sizes = [1_000, 10_000, 100_000];
const questions = 150;

/**
 * `enhance_task` one after another against embedding the same texts alone, in the same minutes: the model's inference is what
 * cannot be avoided, everything else is ours. No text is asked twice, so no cache answers.
 */
export async function benchEnhance(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
    const product = await startProduct({
      folder,
      env: { WHETSTONE_LOG_LEVEL: 'error', WHETSTONE_RATE_LIMIT_PER_SECOND: '0' },
    });
    const embedder = await openLocalEmbedder({
      logger: createLogger({ service: 'bench', level: 'error', pretty: false }),
    });
    const agent = new Agent({ keepAlive: true });
    try {
      const { key, account } = await createAccounts(product.target).open('bench');
      await seedKnowledge(product.dataFolder, account, size, embedder);
      const ask = (text: string) => enhance(agent, product.target.baseUrl, key, text);
      const embed = (text: string) => embedder.embed(text, 'interactive');
      await takeTurns(ask, embed, 20);
      const { asked, embedded } = await takeTurns(ask, embed, questions);
      figures.push({
        name: `enhance_task p50, ${size.toLocaleString('en')} insights`,
        value: median(asked),
        baseline: median(embedded),
        unit: 'ms',
        ...(size <= 10_000 ? { goal: '≤ 2×' } : {}),
      });
      if (size === 100_000) {
        figures.push({
          name: 'memory with 100,000 insights',
          value: await residentMegabytes(product.target),
          unit: 'MB',
        });
      }
    } finally {
      agent.destroy();
      await embedder.close();
      await product.kill();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

async function takeTurns(
  ask: (text: string) => Promise<unknown>,
  embed: (text: string) => Promise<unknown>,
  count: number,
) {
  const asked: number[] = [];
  const embedded: number[] = [];
  for (let i = 0; i < count; i++) {
    const text = sampleTask();
    embedded.push(await timed(() => embed(text)));
    asked.push(await timed(() => ask(text)));
  }
  return { asked, embedded };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Over one connection that stays open, as an agent's harness would; `fetch` would add half a millisecond of its own. */
async function enhance(agent: Agent, url: string, key: string, text: string): Promise<void> {
  const body = JSON.stringify({ tenant_id: 'bench', input_text: text });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-api-key': key };
    request(`${url}/enhance_task`, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  if (answer.statusCode !== 200) throw new Error(`enhance_task answered ${answer.statusCode}`);
  JSON.parse(Buffer.concat(chunks).toString());
}
