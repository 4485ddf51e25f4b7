import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { DatabaseSync } from '@photostructure/sqlite';

import { eventually } from '../test-kit/eventually.js';
import { copyDatabases } from './copy-databases.js';
import { findDamage } from './find-damage.js';

/** Counts in one file and then in the other, as fast as it can: the first is never behind, and never ahead by more than one. */
const writer = `
  const { workerData: { sqlite, first, second }, parentPort } = require('node:worker_threads');
  const { DatabaseSync } = require(sqlite);
  const files = [first, second].map((path) => new DatabaseSync(path, { timeout: 10_000 }));
  for (const file of files) file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE counts (n INTEGER PRIMARY KEY, padding BLOB)');
  let n = 0;
  const writing = setInterval(() => {
    for (let times = 0; times < 20; times++) {
      n++;
      for (const file of files) file.exec('INSERT INTO counts VALUES (' + n + ', randomblob(2000))');
    }
    if (n === 200) parentPort.postMessage('well under way');
  });
  parentPort.once('message', () => clearInterval(writing));
`;

describe('copies of databases that are being written', () => {
  let folder: string;
  let worker: Worker;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-copies-'));
    const sqlite = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const workerData = { sqlite, first: join(folder, 'first.db'), second: join(folder, 'second.db') };
    worker = new Worker(writer, { eval: true, workerData });
    await new Promise((resolve) => worker.once('message', resolve));
  });
  afterAll(async () => {
    // Terminating a thread in native code can crash the process.
    worker.postMessage('stop');
    await once(worker, 'exit');
    await rm(folder, { recursive: true });
  });

  it('are of one moment, whole, and hold all that was written before', async () => {
    for (let round = 0; round < 5; round++) {
      const before = countIn(join(folder, 'second.db'));
      const copies = ['second', 'first'].map((name) => ({
        from: join(folder, `${name}.db`),
        to: join(folder, `${name}-${round}.db`),
      }));

      await copyDatabases(copies);

      const [second, first] = copies.map(({ to }) => countIn(to)) as [number, number];
      expect(second).toBeGreaterThanOrEqual(before);
      expect([0, 1]).toContain(first - second);
      expect(copies.map(({ to }) => findDamage(to))).toEqual([undefined, undefined]);
      await eventually(() => countIn(join(folder, 'second.db')) > second, 'the writer to go on');
    }
  });
});

function countIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    return (database.prepare('SELECT count(*) AS n FROM counts').get() as { n: number }).n;
  } finally {
    database.close();
  }
}
