import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DataKeyEvent, topics } from '@whetstone/contracts';
import { decodeMessage, type LogEvent, openLocalEventLog } from '@whetstone/event-log';

import { searchFiles } from '../acceptance/isolation/search-files.js';
import { createAccounts } from '../support/accounts.js';
import { eventually, inParallel } from '../support/eventually.js';
import { type Product, patientSettings, startProduct } from '../support/product.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';

const uploads = 12;

describe('text of a collection that was erased', () => {
  let folder: string;
  let product: Product;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-erased-'));
    product = await startProduct({ folder, env: patientSettings });
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is in no file, nor is the key to its uploads; those of others are, and new ones are learnt', async () => {
    const { client } = await createAccounts(product.target).open();
    const [gone, kept] = [canary('gone'), canary('kept')];
    for (const word of [gone, kept]) {
      // The last is large enough to be read in threads.
      await inParallel([...Array(uploads).keys()], 4, (number) => {
        const result = number === 0 ? `${word} ${randomBytes(100_000).toString('hex')}` : word;
        return client.learn(shellSuccess(word, `Compress report ${number} of ${word}`, `gzip -9 ${word}.txt`, result));
      });
    }
    expect(await countIn(product.dataFolder, /^knowledge/, gone)).toBeGreaterThan(uploads);
    expect(await countIn(product.dataFolder, /^(log|status)/, gone)).toBe(0);
    const before = await keysIn(product.dataFolder);
    expect(before).toHaveLength(2);

    await client.erase(gone);

    const [left, ...more] = await keysIn(product.dataFolder);
    expect([before.includes(left ?? ''), more]).toEqual([true, []]);
    const lost = before.find((key) => key !== left) ?? '';
    const none = async () => {
      const counts = [gone, lost].map((word) => countIn(product.dataFolder, /./, word));
      return (await Promise.all(counts)).every((count) => count === 0) || undefined;
    };
    await eventually(none, { what: 'text and key are overwritten', withinMs: 90_000, everyMs: 500 });
    expect(await countIn(product.dataFolder, /^log/, left ?? '')).toBeGreaterThan(0);

    const { outcome } = await client.learn(lessonUpload(gone, lessons.sql));
    expect(outcome).toBe('stored');
    await product.stop();
    expect(await countIn(product.dataFolder, /./, lost)).toBe(0);
    expect(await countIn(product.dataFolder, /^knowledge/, kept)).toBeGreaterThan(uploads);
  });
});

/** Whoever searches the files for what must not be there finds what is. */
describe('text of uploads that are not encrypted', () => {
  it('is in the log, as it is or gzipped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-plain-'));
    const product = await startProduct({ folder, env: { ...patientSettings, WHETSTONE_ENCRYPT_UPLOADS: 'false' } });
    const { client } = await createAccounts(product.target).open();
    const [short, long] = [canary('short'), canary('long')];
    await client.learn(shellSuccess('plain', 'Compress the report', 'gzip -9 report.txt', short));
    await client.learn(shellSuccess('plain', 'Print the report', 'lp report.txt', `${long}\n`.repeat(2_000)));
    const found = await searchFiles([product.dataFolder], [short, long]);
    await product.stop();
    await rm(folder, { recursive: true, force: true });

    const places = found.filter(({ path }) => path.includes('log.db'));
    expect(places).toContainEqual(expect.objectContaining({ needle: short, where: 'content' }));
    expect(places).toContainEqual(expect.objectContaining({ needle: long, where: 'gzipped content' }));
  });
});

/** A word that occurs nowhere else, and that no one takes for a secret. */
function canary(name: string): string {
  return `${name}${randomBytes(6).toString('hex').replace(/\d/g, 'q')}`;
}

/** The wrapped keys that are not destroyed, as they are in the file. */
async function keysIn(dataFolder: string): Promise<string[]> {
  const log = await openLocalEventLog({ path: join(dataFolder, 'log.db'), topics: Object.values(topics) });
  const keys = new Map<string, string>();
  const following = await log.follow({
    topic: topics.collections.name,
    async onEvents(events: LogEvent[]) {
      for (const { value } of events) {
        const event = await decodeMessage<DataKeyEvent>(value);
        if (event.type === 'created') keys.set(event.dataKeyId, event.wrappedKey);
        if (event.type === 'destroyed') keys.delete(event.dataKeyId);
      }
    },
    onReset() {},
    onCrash() {},
  });
  await following.caughtUp();
  await following.stop();
  await log.close();
  return [...keys.values()];
}

async function countIn(dataFolder: string, files: RegExp, word: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(dataFolder)) {
    if (files.test(name)) count += occurrences(await readFile(join(dataFolder, name)), word);
  }
  return count;
}

function occurrences(bytes: Buffer, word: string): number {
  let count = 0;
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) count++;
  return count;
}
