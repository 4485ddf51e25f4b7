import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts } from '../support/accounts.js';
import { eventually, inParallel } from '../support/eventually.js';
import { type Product, patientSettings, startProduct } from '../support/product.js';
import { shellSuccess } from '../support/uploads.js';

const uploads = 24;

describe('text that a deletion removed', () => {
  let folder: string;
  let product: Product;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-deleted-'));
    product = await startProduct({ folder, env: patientSettings });
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is soon in none of the knowledge files, and after a stop in no write-ahead log', async () => {
    const { client } = await createAccounts(product.target).open();
    const gone = canary('gone');
    const kept = canary('kept');
    for (const word of [gone, kept]) {
      await inParallel([...Array(uploads).keys()], 4, (number) =>
        client.learn(shellSuccess(word, `Compress report ${number} of ${word}`, `gzip -9 ${word}-${number}.txt`)),
      );
    }
    expect(await countIn(product.dataFolder, /^knowledge/, gone)).toBeGreaterThan(uploads);

    await client.deleteByIntent({ tenant_id: gone, intent: 'Compress a report', similarity_threshold: 0 });

    const none = async () => (await countIn(product.dataFolder, /^knowledge/, gone)) === 0 || undefined;
    await eventually(none, { what: 'the deleted text is overwritten', withinMs: 30_000, everyMs: 200 });
    await product.stop();
    expect(await countIn(product.dataFolder, /^knowledge/, gone)).toBe(0);
    expect(await countIn(product.dataFolder, /^knowledge/, kept)).toBeGreaterThan(uploads);
    expect(await countIn(product.dataFolder, /-wal$/, gone)).toBe(0);
  });
});

/** A word that occurs nowhere else, and that no one takes for a secret. */
function canary(name: string): string {
  return `${name}${randomBytes(4).toString('hex').replace(/\d/g, 'q')}`;
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
