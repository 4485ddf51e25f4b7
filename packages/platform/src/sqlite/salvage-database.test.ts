import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { findDamage } from './find-damage.js';
import { salvageDatabase } from './salvage-database.js';

const pageBytes = 4096;
const rows = 3000;
/** As in the log: ranges of rows, far apart. */
const rowId = (n: number) => (n % 3) * 2 ** 40 + n;

describe('a damaged database', () => {
  let folder: string;
  let from: string;
  let to: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-salvage-'));
    [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')];
    const database = new DatabaseSync(from);
    database.exec(`
      PRAGMA auto_vacuum = INCREMENTAL;
      CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      INSERT INTO settings VALUES ('model', 'small');
      CREATE TABLE words (n INTEGER PRIMARY KEY, word TEXT NOT NULL, padding BLOB);
      CREATE INDEX by_word ON words (word);
      PRAGMA user_version = 7; BEGIN;
    `);
    const insert = database.prepare('INSERT INTO words VALUES (?, ?, randomblob(?))');
    for (let n = 0; n < rows; n++) insert.run(rowId(n), `word ${n}`, n % 100 === 0 ? 9000 : 40);
    database.exec('COMMIT');
    database.close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('that is none is copied whole, with its indexes and settings', () => {
    expect(salvageDatabase(from, to)).toEqual({ settings: 1, words: rows });
    const copy = new DatabaseSync(to);
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    expect(copy.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
    expect(copy.prepare("SELECT n FROM words INDEXED BY by_word WHERE word = 'word 5'").get()).toEqual({ n: rowId(5) });
    copy.close();
  });

  it.each([20, 40, 60, 90])('yields all but the rows of page %i', async (page) => {
    await damage(page);
    const { words } = salvageDatabase(from, to);

    expect(words).toBeGreaterThan(rows * 0.95);
    expect(findDamage(to)).toBeUndefined();
  });

  it('yields what is around many damaged pages', async () => {
    for (let page = 10; page < 100; page += 10) await damage(page);
    const { words } = salvageDatabase(from, to);

    expect(words).toBeGreaterThan(rows * 0.5);
    expect(words).toBeLessThan(rows);
    expect(findDamage(to)).toBeUndefined();
  });

  it('that is something else is refused with the reason', async () => {
    await writeFile(from, 'no database '.repeat(500));

    expect(() => salvageDatabase(from, to)).toThrow('not a database');
  });

  async function damage(page: number): Promise<void> {
    const file = await open(from, 'r+');
    await file.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, page * pageBytes);
    await file.close();
  }
});
