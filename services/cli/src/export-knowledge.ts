import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { VectorStore } from '@whetstone/indexer';
import { AppError } from '@whetstone/platform';

import type { CollectionNames } from './collection-names.js';
import { rowsOf } from './collections.js';
import { collectionText, knowledgeText } from './knowledge-text.js';
import { type ModelName, writeRowLine } from './row-lines.js';

export type ExportFormat = 'jsonl' | 'markdown';

export interface ExportedCollections {
  ids: readonly string[];
  /** For people; absent where names cannot be read. */
  nameOf: CollectionNames | undefined;
}

export interface ExportCounts {
  rows: number;
  collections: number;
}

/** The rows of the collections, in the order of their ids: as JSON lines for an import, or as text for people. */
export async function* exportLines(
  store: VectorStore,
  model: ModelName,
  { ids, nameOf }: ExportedCollections,
  format: ExportFormat,
  counts: ExportCounts,
): AsyncGenerator<string> {
  for (const collectionId of ids) {
    counts.collections++;
    let isEmpty = true;
    for await (const row of rowsOf(store, collectionId)) {
      if (isEmpty && format === 'markdown') yield collectionText(collectionId, nameOf?.(collectionId));
      isEmpty = false;
      counts.rows++;
      yield format === 'markdown' ? knowledgeText(row) : `${writeRowLine({ row, model })}\n`;
    }
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Writes the file completely or not at all, readable by its owner only. */
export async function writeFileOf(path: string, lines: AsyncGenerator<string>): Promise<void> {
  const draft = `${path}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, path);
  } catch (error) {
    // The first error says what is wrong.
    await rm(draft, { force: true }).catch(() => {});
    const { code = '', syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new AppError('invalid_argument', `${path} cannot be written: ${reasons[code] ?? message}`, { cause: error });
  }
}
