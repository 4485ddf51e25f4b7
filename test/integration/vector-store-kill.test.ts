import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openLocalVectorStore, type Row } from '@whetstone/indexer';
import { aCollection, aVector, byMeaning, conformanceModel } from '@whetstone/indexer/conformance';
import { createLogger } from '@whetstone/platform';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const writer = fileURLToPath(new URL('./vector-store-writer.js', import.meta.url));
const collection = aCollection('killed');
const rounds = 5;

describe('the local vector store under kill −9', () => {
  it('loses nothing that it acknowledged, brings back nothing that it deleted, and keeps rows of a job together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-kill-'));
    const path = join(folder, 'knowledge.db');
    const said: Record<string, Set<string>> = { written: new Set(), deleting: new Set(), deleted: new Set() };
    try {
      for (let round = 0; round < rounds; round++) {
        const before = said['written']?.size;
        for (const line of await writeUntilKilled(path, `round${round}`)) {
          const [what = '', jobId = ''] = line.split(' ');
          said[what]?.add(jobId);
        }
        expect(said['written']?.size).toBeGreaterThan(before ?? 0);

        const { rowsByJob, found } = await readAll(path);
        const jobs = new Set(rowsByJob.keys());
        expect([...(said['written'] ?? [])].filter((job) => !jobs.has(job) && !said['deleting']?.has(job))).toEqual([]);
        expect([...(said['deleted'] ?? [])].filter((job) => jobs.has(job))).toEqual([]);
        expect([...rowsByJob].filter(([, count]) => count !== 3)).toEqual([]);
        expect(found).toBe(2 * jobs.size);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function writeUntilKilled(path: string, round: string): Promise<string[]> {
  const child = spawn(process.execPath, [writer, path, collection, round], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // At a random moment, once writing is well under way.
    if (output.length > 5_000 && !child.killed) setTimeout(() => child.kill('SIGKILL'), Math.random() * 300);
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  return output.slice(0, output.lastIndexOf('\n')).split('\n');
}

async function readAll(path: string) {
  const store = await openLocalVectorStore({ path, model: conformanceModel, logger });
  const rowsByJob = new Map<string, number>();
  let after: string | undefined;
  do {
    const page: Row[] = await store.page(collection, { limit: 1_000, ...(after === undefined ? {} : { after }) });
    for (const { jobId } of page) rowsByJob.set(jobId, (rowsByJob.get(jobId) ?? 0) + 1);
    after = page.length < 1_000 ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
  const found = (await byMeaning(store, collection, aVector(1), 1_000_000)).length;
  await store.close();
  return { rowsByJob, found };
}
