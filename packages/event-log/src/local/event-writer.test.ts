import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Database, isUnavailable, needsReopening, openDatabase, preparePartitions } from './database.js';
import { createEventWriter } from './event-writer.js';

describe('createEventWriter', () => {
  let folder: string;
  let database: Database;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whetstone-writer-'));
    database = openDatabase(join(folder, 'log.db'), 50);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('takes a batch whole or not at all when the disk is full, and goes on once there is room', () => {
    const write = setUp();
    write(batchOf(5, 1000));
    database.exec('PRAGMA max_page_count = 30');
    const error = thrownBy(() => write(batchOf(50, 10_000)));

    expect([isUnavailable(error), needsReopening(error)]).toEqual([true, false]);
    expect(offsets()).toEqual([0, 1, 2, 3, 4]);

    database.exec('PRAGMA max_page_count = 100000');
    write(batchOf(2, 10_000));
    expect(offsets()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('takes offsets from the file, so that two writers never give one twice', () => {
    const write = setUp();
    const other = openDatabase(join(folder, 'log.db'), 50);
    const writeElsewhere = createEventWriter(other);

    write(batchOf(2, 10));
    writeElsewhere(batchOf(2, 10));
    write(batchOf(1, 10));
    other.close();

    expect(offsets()).toEqual([0, 1, 2, 3, 4]);
  });

  function setUp() {
    preparePartitions(database, [{ name: 't', partitions: 1, compacted: false }]);
    return createEventWriter(database);
  }

  function offsets(): number[] {
    const rows = database.prepare('SELECT position % 1099511627776 AS offset FROM events ORDER BY position').all();
    return (rows as { offset: number }[]).map(({ offset }) => offset);
  }
});

function batchOf(count: number, valueBytes: number) {
  const event = { partitionId: 1, compacted: false, key: 'k', headers: '{}', timestampMs: 1, valueBytes };
  return { events: new Array(count).fill(event), values: new ArrayBuffer(count * valueBytes), positions: [] };
}

function thrownBy(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}
