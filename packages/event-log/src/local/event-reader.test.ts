import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { EventReader } from './event-reader.js';

/** Creates the file and has it to itself for a while, as a process that recovers the write-ahead log does. */
const holder = `
  const { workerData: { sqlite, path, holdMs }, parentPort } = require('node:worker_threads');
  const { DatabaseSync } = require(sqlite);
  const database = new DatabaseSync(path);
  database.exec(\`
    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
    CREATE TABLE partitions (id INTEGER PRIMARY KEY, start_offset, next_offset);
    CREATE TABLE events (position INTEGER PRIMARY KEY, timestamp_ms, key, headers, value);
    CREATE TABLE positions (consumer_group, partition_id, next_offset);
    INSERT INTO partitions VALUES (7, 0, 3);
  \`);
  parentPort.postMessage('held');
  setTimeout(() => database.close(), holdMs);
`;

it('a reader waits for a file that another process has to itself while it is being opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-reader-'));
  const path = join(folder, 'log.db');
  const sqlite = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const worker = new Worker(holder, { eval: true, workerData: { sqlite, path, holdMs: 400 } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('message', resolve));
  const reader = new EventReader(path);

  expect(reader.bounds()).toEqual(new Map([[7, { start: 0, end: 3 }]]));

  reader.close();
  await ended;
  await rm(folder, { recursive: true });
});
