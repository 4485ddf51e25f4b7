import { AppError } from '@whetstone/platform/worker';

import type { DeletionMarker, Row } from '../../domain/ports.js';

/** Rows on their way to the store's thread: their vectors in one piece that is handed over, not copied one by one. */
export interface RowBatch {
  rows: Omit<Row, 'vector'>[];
  vectors: Float32Array;
}

export interface MarkerRecord {
  collection_id: string;
  deleted_at: number;
  threshold: number;
  intent: Uint8Array;
  vector: Uint8Array;
}

export function markerOf(record: MarkerRecord): DeletionMarker {
  const { collection_id: collectionId, intent, threshold, deleted_at: deletedAt, vector } = record;
  const text = Buffer.from(intent.buffer, intent.byteOffset, intent.byteLength).toString();
  return { collectionId, intent: text, vector: floatsOf(vector), threshold, deletedAt };
}

export function batchOf(items: Row[]): RowBatch {
  const dimension = items[0]?.vector.length ?? 0;
  const vectors = new Float32Array(items.length * dimension);
  const rows = items.map(({ vector, ...row }, index) => {
    if (vector.length !== dimension) throw new AppError('invalid_argument', 'Vectors of one write have one dimension');
    vectors.set(vector, index * dimension);
    return row;
  });
  return { rows, vectors };
}

export function rowsOf({ rows, vectors }: RowBatch): Row[] {
  const dimension = rows.length === 0 ? 0 : vectors.length / rows.length;
  return rows.map((row, index) => ({
    ...row,
    vector: vectors.subarray(index * dimension, (index + 1) * dimension),
  }));
}

/** Free text is stored as bytes: as text, SQLite would end it at the first NUL. */
export function bytesOfText(text: string): Uint8Array {
  return Buffer.from(text);
}

export function bytesOf(numbers: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(...placeOf(bytes));
}

export function numbersOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(...placeOf(bytes));
}

/** A blob need not begin where a number of four bytes may; then it is copied. */
function placeOf(bytes: Uint8Array): [ArrayBufferLike, number, number] {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return [buffer, byteOffset, byteLength / 4];
}
