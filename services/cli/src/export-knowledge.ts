import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { VectorStore } from '@whetstone/indexer';

import { type ModelName, writeRowLine } from './write-row-line.js';

export interface ExportCounts {
  rows: number;
  collections: number;
}

const pageRows = 200;

/** The rows of the collections as lines, in the order of their ids. */
export async function* exportLines(
  store: VectorStore,
  model: ModelName,
  collectionIds: readonly string[],
  counts: ExportCounts,
): AsyncGenerator<string> {
  for (const collectionId of collectionIds) {
    counts.collections++;
    let after: string | undefined;
    do {
      const page = await store.page(collectionId, { limit: pageRows, ...(after !== undefined && { after }) });
      for (const row of page) {
        counts.rows++;
        yield `${writeRowLine({ row, model })}\n`;
      }
      after = page.length < pageRows ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }
}

/** Writes a file that is there whole or not at all, readable by its owner only. */
export async function writeFileOf(path: string, lines: AsyncGenerator<string>): Promise<void> {
  const draft = `${path}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
