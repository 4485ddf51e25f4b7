import { readdir, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';

import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { type Embedder, embeddingModelOf, openLocalVectorStore, reindex } from '@whetstone/indexer';
import { AppError, type Clock, createLogger, type DataFolder, type Environment } from '@whetstone/platform';
import { findDamage, isDamage, type Salvaged, salvageDatabase } from '@whetstone/platform/sqlite';

import { readEmbedding } from '../installation/open-knowledge.js';
import { moveAside, withoutServer } from './restore.js';

export interface SalvagedFile {
  path: string;
  damage: string;
  /** Rows that were still readable, by table. */
  rows: Salvaged;
}

export interface SalvageResult {
  files: SalvagedFile[];
  /** Where the damaged files are now; `undefined` if none is damaged. */
  keptIn: string | undefined;
}

interface SalvageOptions {
  /** Names the embedding model of the knowledge. */
  env: Environment;
  clock: Clock;
}

const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });

/** Rebuilds damaged files from what is still readable. Keeps the damaged ones. */
export function salvage(folder: DataFolder, { env, clock }: SalvageOptions): Promise<SalvageResult> {
  return withoutServer(folder, async () => {
    const files = await draftFiles(folder, embeddingModelOf(readEmbedding(env)));
    if (files.length === 0) return { files, keptIn: undefined };
    const names = files.map(({ path }) => basename(path));
    // The views go with the log that they were read from.
    const owned = [...names, 'status.db', 'activity.db'];
    const former = (await readdir(folder.path)).filter((name) => owned.includes(name.replace(/-(wal|shm)$/, '')));
    const keptIn = await moveAside(folder.path, former, clock);
    for (const { path } of files) await moveDatabase(draftOf(path), path);
    return { files, keptIn };
  });
}

async function draftFiles(folder: DataFolder, model: Embedder['model']): Promise<SalvagedFile[]> {
  const paths = [folder.log, folder.knowledge];
  const files: SalvagedFile[] = [];
  try {
    for (const path of paths) {
      const damage = findDamage(path);
      if (damage === undefined) continue;
      const rows = path === folder.log ? await salvageLog(path) : await salvageKnowledge(path, model);
      files.push({ path, damage, rows });
    }
    return files;
  } catch (error) {
    for (const path of paths) await removeDatabase(draftOf(path));
    throw error;
  }
}

async function salvageLog(path: string): Promise<Salvaged> {
  const rows = await readRows(path, draftOf(path));
  // An event without its partition has no place.
  if (!rows['partitions']) throw unreadable(path);
  try {
    await (await openLocalEventLog({ path: draftOf(path), topics: Object.values(topics) })).close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return rows;
}

/** Rows and their contents are in several tables: what lacks a part is left behind, and the counts are made anew. */
async function salvageKnowledge(path: string, model: Embedder['model']): Promise<Salvaged> {
  const readable = `${path}.readable`;
  try {
    const rows = await readRows(path, readable);
    await removeDatabase(draftOf(path));
    const source = await openLocalVectorStore({ path: readable, model, logger });
    try {
      const target = await openLocalVectorStore({ path: draftOf(path), model, logger });
      const { copied, markers } = await reindex({ source, target }).finally(() => target.close());
      return { rows: copied, markers, collections: rows['collections'] ?? 0 };
    } finally {
      await source.close();
    }
  } finally {
    await removeDatabase(readable);
  }
}

async function readRows(from: string, to: string): Promise<Salvaged> {
  await removeDatabase(to);
  try {
    return salvageDatabase(from, to);
  } catch (error) {
    await removeDatabase(to);
    throw isDamage(error) ? unreadable(from, error) : error;
  }
}

const besideDatabase = ['-wal', '-shm'];

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', ...besideDatabase]) await rm(`${path}${suffix}`, { force: true });
}

/** With the files beside it, which a connection may leave behind, or remove only now. */
async function moveDatabase(from: string, to: string): Promise<void> {
  for (const suffix of besideDatabase) {
    await rename(`${from}${suffix}`, `${to}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await rename(from, to);
}

function draftOf(path: string): string {
  return `${path}.salvaged`;
}

function unreadable(path: string, cause?: unknown): AppError {
  const message = `${path} is too damaged to be salvaged. Restore a backup, or move the file aside to start without it.`;
  return new AppError('invalid_argument', message, { cause });
}
