import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { dataFolder } from '@whetstone/platform';

import { createAccounts } from '../support/accounts.js';
import { eventually, inParallel } from '../support/eventually.js';
import { type Product, projectFolder, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const run = promisify(execFile);
let folder: string;
let product: Product;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-poison-'));
});

afterEach(async () => {
  await product.kill();
  await rm(folder, { recursive: true });
});

/** What no gateway writes: bytes that are no message, no upload, or an upload that is cut off. */
const poisons: Uint8Array[] = [
  Buffer.from([]),
  Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0xff]),
  Buffer.from('{"jobId":"job_'),
  Buffer.from('null'),
  Buffer.from(JSON.stringify({ jobId: 'job_1', interaction: { query: 7 } })),
  gzipSync(JSON.stringify({ turns: 'no' })),
  gzipSync(Buffer.alloc(100 * 1024 * 1024)),
];
/** So many keys that every partition has some. */
const keys = Array.from({ length: 70 }, (_, index) => `c0123456789abcdef_${index}:${index % 4}`);

it('poison in every partition becomes dead letters, and every upload around it is processed', async () => {
  product = await startProduct({ folder });
  const { client } = await createAccounts(product.target).open();
  const tasks = Object.values(lessons);
  const storeAll = (room: string) =>
    inParallel(tasks, 4, (lesson) => client.store(lessonUpload(`${room}-${tasks.indexOf(lesson)}`, lesson)));

  const before = await storeAll('before');
  await appendPoison(product);
  const after = await storeAll('after');

  for (const { job_id } of [...before, ...after]) {
    expect(await client.jobEnded(job_id)).toMatchObject({ status: 'completed' });
  }
  const letters = await eventually(async () => enough(await deadLetters(product)), { what: 'all poison is buried' });
  expect(new Set(letters.map(({ reason }) => reason))).toEqual(new Set(['unreadable_message']));
  expect((await fetch(`${product.target.opsUrl}/livez`)).status).toBe(200);
}, 120_000);

const enough = (letters: Letter[]) => (letters.length >= keys.length ? letters : undefined);

/** Written into the log beside the running product, as a stray process would. */
async function appendPoison({ dataFolder: path }: Product): Promise<void> {
  const log = await openLocalEventLog({ path: dataFolder(path).log, topics: Object.values(topics) });
  try {
    const append = (key: string, at: number) =>
      log.append(topics.uploads.name, { key, value: poisons[at % poisons.length] as Uint8Array });
    await Promise.all(keys.map(append));
  } finally {
    await log.close();
  }
}

interface Letter {
  reason: string;
}

async function deadLetters({ dataFolder: path }: Product): Promise<Letter[]> {
  const command = [join(projectFolder, 'services/cli/bin/whetstone.mjs'), 'dead-letters', 'list', '--json'];
  const { stdout } = await run(process.execPath, command, { env: { ...process.env, WHETSTONE_DATA: path } });
  return (JSON.parse(stdout) as { dead_letters: Letter[] }).dead_letters;
}
