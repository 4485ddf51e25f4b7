import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError } from '@whetstone/platform/worker';

import type { EmbeddingModel } from '../../domain/ports.js';
import { lessonTables } from './lesson-writer.js';

const layout = '1';

/**
 * `rows.seq` is the collection's number times 2^32 plus the row's number within it, so that a collection is contiguous
 * on disk and loads in one sweep. `rows.key` is `<job>/<attempt>/<ordinal>`. Contents are in a table of their own, so
 * that the sweep skips them. `names` has the insights with a name. `votes` repeats the votes among the rows, in a covering
 * index for searches. `next_n` and `removals` only grow: together they are the version of a collection, which tells an
 * in-memory index what it has missed.
 */
const tables = `
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS collections (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  next_n INTEGER NOT NULL DEFAULT 1,
  removals INTEGER NOT NULL DEFAULT 0,
  row_count INTEGER NOT NULL DEFAULT 0,
  insight_count INTEGER NOT NULL DEFAULT 0,
  term_count INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS rows (
  seq INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  key TEXT NOT NULL,
  type TEXT NOT NULL,
  accepted_at INTEGER NOT NULL,
  vector BLOB NOT NULL,
  terms BLOB
);
CREATE UNIQUE INDEX IF NOT EXISTS rows_by_key ON rows (collection, key);
CREATE TABLE IF NOT EXISTS contents (
  seq INTEGER PRIMARY KEY,
  intent BLOB NOT NULL,
  text BLOB NOT NULL,
  body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS names (
  seq INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS names_by_name ON names (collection, name);
CREATE TABLE IF NOT EXISTS votes (
  seq INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  about TEXT NOT NULL,
  key TEXT NOT NULL,
  token TEXT NOT NULL,
  helped INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS votes_by_insight ON votes (collection, about, token, accepted_at, key, helped);
CREATE TABLE IF NOT EXISTS markers (
  collection_id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  threshold REAL NOT NULL,
  intent BLOB NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS markers_of_collection ON markers (collection_id, deleted_at);
DROP INDEX IF EXISTS markers_by_collection;
CREATE INDEX IF NOT EXISTS markers_by_time ON markers (deleted_at);
CREATE TABLE IF NOT EXISTS leases (
  collection_id TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** Opens or creates the database. Throws if it holds vectors of another model. */
export function openDatabase(path: string, model: EmbeddingModel): DatabaseSyncInstance {
  const db = new DatabaseSync(path);
  try {
    // The command line may hold the lock briefly. Three rows with their vectors fill a page of 8 KiB.
    db.exec('PRAGMA busy_timeout = 10000; PRAGMA page_size = 8192; PRAGMA secure_delete = ON');
    // The content of hits is scattered: 16 MiB of page cache holds that of about ten thousand insights.
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384',
    );
    db.exec(`BEGIN IMMEDIATE; ${tables} ${lessonTables} COMMIT`);
    checkModel(db, model);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkModel(db: DatabaseSyncInstance, model: EmbeddingModel): void {
  const expected = { layout, model: model.name, dimension: String(model.dimension) };
  const add = db.prepare('INSERT INTO about (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  for (const [name, value] of Object.entries(expected)) add.run(name, value);
  const rows = db.prepare('SELECT name, value FROM about').all() as { name: string; value: string }[];
  const found = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  if (found['layout'] !== layout) {
    throw new AppError(
      'model_mismatch',
      `The knowledge database has layout ${found['layout']}, but this version reads layout ${layout}. ` +
        'Export it with the version that wrote it and import it into a new data folder.',
    );
  }
  if (found['model'] === expected.model && found['dimension'] === expected.dimension) return;
  throw new AppError(
    'model_mismatch',
    `The knowledge was embedded with ${found['model']} (${found['dimension']} dimensions), but ` +
      `${model.name} (${model.dimension}) is configured. Vectors of two models do not mix: configure the former model, or ` +
      'export with it (whetstone knowledge export) and import into a new data folder, which embeds everything again.',
  );
}
