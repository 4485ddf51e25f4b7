import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { JobEvent } from '@whetstone/contracts';

import { SqliteJobTable } from './sqlite-job-table.js';

const day = 24 * 60 * 60 * 1_000_000;

describe('SqliteJobTable', () => {
  let folder: string;
  let path: string;
  let tables: SqliteJobTable[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whetstone-status-'));
    path = join(folder, 'status.db');
    tables = [];
  });
  afterEach(() => {
    for (const table of tables) table.close();
    rmSync(folder, { recursive: true });
  });

  it('goes on after a restart with the rows and positions it had', () => {
    const table = open();
    expect(table.positions()).toBeUndefined();
    table.apply([begun('a')], [3, 5]);
    table.close();

    const again = open();
    expect(again.get('a')).toEqual(begun('a'));
    expect(again.positions()).toEqual([3, 5]);
  });

  it('writes rows and positions together or not at all', () => {
    const table = open();
    table.apply([begun('a')], [1]);
    const broken = { ...begun('b'), acceptedAt: undefined } as unknown as JobEvent;

    expect(() => table.apply([begun('c'), broken], [3])).toThrow();

    expect(table.get('c')).toBeUndefined();
    expect(table.positions()).toEqual([1]);
  });

  it('throws away a file that is no database', () => {
    writeFileSync(path, 'this is no database '.repeat(500));

    expect(open().positions()).toBeUndefined();
  });

  it('throws away a file of another version', () => {
    const table = open();
    table.apply([begun('a')], [1]);
    table.close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();

    const again = open();
    expect(again.positions()).toBeUndefined();
    expect(again.get('a')).toBeUndefined();
  });

  it('begins anew on a file with a damaged page', () => {
    const table = open();
    table.apply([begun('a')], [7]);
    table.close();
    const database = new DatabaseSync(path);
    const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'positions'").get() as {
      rootpage: number;
    };
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (rootpage - 1) * 4096, rootpage * 4096);
    writeFileSync(path, bytes);

    expect(open().positions()).toBeUndefined();
  });

  it('removes what has expired, a part at a time', () => {
    const table = open();
    const old = Array.from({ length: 700 }, (_, index) => begun(`old-${index}`, 1));
    table.apply([...old, begun('new', 20 * day)], [1]);

    expect(table.purge(31 * day)).toBe(true);
    expect(table.purge(31 * day)).toBe(false);
    expect(table.get('old-0')).toBeUndefined();
    expect(table.get('old-699')).toBeUndefined();
    expect(table.get('new')).toBeDefined();
  });

  it('knows the oldest job that was begun and has not ended', () => {
    const table = open();
    expect(table.oldestOpen()).toBeUndefined();
    table.apply([begun('a', 10), begun('b', 20)], [1]);
    expect(table.oldestOpen()).toBe(10);

    table.apply([{ status: 'failed', jobId: 'a', acceptedAt: 10, failedAt: 30, errorMessage: 's' }], [2]);
    expect(table.oldestOpen()).toBe(20);
  });

  it('is empty after it was cleared', () => {
    const table = open();
    table.apply([begun('a')], [1]);
    table.clear();

    expect(table.get('a')).toBeUndefined();
    expect(table.positions()).toBeUndefined();
  });

  function open(): SqliteJobTable {
    const table = new SqliteJobTable(path);
    tables.push(table);
    return table;
  }
});

function begun(jobId: string, acceptedAt = 1): JobEvent {
  return { status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 1 };
}
