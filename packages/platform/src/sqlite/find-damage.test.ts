import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { findDamage } from './find-damage.js';

const pageBytes = 4096;

describe('damage in a database', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-damage-'));
    path = join(folder, 'some.db');
    const database = new DatabaseSync(path);
    database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE words (n INTEGER PRIMARY KEY, word TEXT);
      CREATE INDEX by_word ON words (word);
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
        INSERT INTO words SELECT n, 'word ' || n || hex(randomblob(60)) FROM numbers;
      PRAGMA wal_checkpoint(TRUNCATE);
    `);
    database.close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is not found in a good file, nor in none', () => {
    expect(findDamage(path)).toBeUndefined();
    expect(findDamage(join(folder, 'missing.db'))).toBeUndefined();
  });

  it.each([3, 10, 40, 70])('is found in page %i', async (page) => {
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, page * pageBytes);
    await file.close();

    expect(findDamage(path)).toMatch(/^[^\n]+$/);
  });

  it('is found in a file that is cut off, and in one that is something else', async () => {
    await truncate(path, 30 * pageBytes);
    expect(findDamage(path)).toMatch(/\w/);
    await writeFile(path, 'no database '.repeat(1000));
    expect(findDamage(path)).toContain('not a database');
  });
});
