import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  embedIntent,
  hasIntent,
  type ImportOptions,
  type ImportResult,
  importRows,
  type Row,
  voteVector,
} from '@whetstone/indexer';
import { AppError } from '@whetstone/platform';
import type { Knowledge } from './installation/installation.js';
import { createRowLineReader, type ExportedRow } from './row-lines.js';

interface ImportCounts extends ImportResult {
  rows: number;
  /** Rows whose vector was made by another model. */
  embeddedAgain: number;
}

type ReadLine = ReturnType<typeof createRowLineReader>;

const batchRows = 300;
const shownMistakes = 20;

/** Checks the whole file before it writes anything. Votes come last, because a vote needs its insight. */
export async function importKnowledge(
  { store, model, embedder }: Knowledge,
  path: string,
  options: ImportOptions,
): Promise<ImportCounts> {
  await expectFile(path);
  const readLine = createRowLineReader();
  const { hasVotes } = await checkLines(path, readLine);
  const counts: ImportCounts = { rows: 0, stored: 0, superseded: 0, deleted: 0, embeddedAgain: 0 };
  for (const votes of hasVotes ? [false, true] : [false]) {
    for await (const batch of batchesOf(path, readLine, ({ row }) => (row.type === 'vote') === votes)) {
      const rows = await Promise.all(batch.map(withOwnVector));
      const result = await importRows(store, rows, options);
      counts.rows += rows.length;
      for (const name of ['stored', 'superseded', 'deleted'] as const) counts[name] += result[name];
    }
  }
  return counts;

  async function withOwnVector({ row, model: made }: ExportedRow): Promise<Row> {
    if (made.name === model.name && made.dimension === model.dimension) return row;
    if (!hasIntent(row)) return { ...row, vector: voteVector(model.dimension) };
    counts.embeddedAgain++;
    return { ...row, vector: await embedIntent(await embedder(), row.intent, 'background') };
  }
}

/** The file is read more than once; a pipe would be empty the second time. */
async function expectFile(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  if (isFile) return;
  throw new AppError(
    'invalid_argument',
    `${path} is not a regular file. An import reads it more than once, so a pipe will not do.`,
  );
}

async function checkLines(path: string, readLine: ReadLine): Promise<{ hasVotes: boolean }> {
  const mistakes: string[] = [];
  let count = 0;
  let hasVotes = false;
  for await (const { number, text } of linesOf(path)) {
    try {
      hasVotes = readLine(text).row.type === 'vote' || hasVotes;
    } catch (error) {
      if (++count <= shownMistakes) mistakes.push(`\n  line ${number}: ${(error as Error).message}`);
    }
  }
  if (count === 0) return { hasVotes };
  const more = count > shownMistakes ? `\n  and ${count - shownMistakes} more` : '';
  throw new AppError(
    'invalid_argument',
    `Nothing was imported from ${path}. Invalid lines:${mistakes.join('')}${more}`,
  );
}

/** Of the rows that are wanted, those that lie together and belong to one collection. */
async function* batchesOf(
  path: string,
  readLine: ReadLine,
  isWanted: (row: ExportedRow) => boolean,
): AsyncGenerator<ExportedRow[]> {
  let batch: ExportedRow[] = [];
  for await (const { text } of linesOf(path)) {
    const next = readLine(text);
    if (!isWanted(next)) continue;
    const other = batch[0] !== undefined && batch[0].row.collectionId !== next.row.collectionId;
    if (other || batch.length >= batchRows) {
      yield batch;
      batch = [];
    }
    batch.push(next);
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(path: string): AsyncGenerator<{ number: number; text: string }> {
  const stream = createReadStream(path, 'utf8');
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (cause) => {
      reject(new AppError('invalid_argument', `${path} cannot be read: ${cause.message}`, { cause }));
    });
  });
  failed.catch(() => {});
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (let number = 1; ; number++) {
    const { done, value } = await Promise.race([lines.next(), failed]);
    if (done) return;
    if (value.trim() !== '') yield { number, text: value };
  }
}
