import { AppError } from '@whetstone/platform/worker';

import type { DeletionMarker, Row, RowHead, RowType } from '../../domain/ports.js';

/** Rows as they cross threads: their vectors in one piece that is handed over, not copied one by one. */
export interface PackedRows<Item extends RowHead> {
  rows: Omit<Item, 'vector'>[];
  vectors: Float32Array;
}

export interface RowRecord {
  seq: number;
  key: string;
  type: RowType;
  job: string;
  attempt: string;
  ordinal: number;
  accepted_at: number;
  intent: Uint8Array;
  vector: Uint8Array;
}

export interface ContentRecord extends RowRecord {
  text: Uint8Array;
  body: Uint8Array;
}

export interface MarkerRecord {
  deleted_at: number;
  threshold: number;
  intent: Uint8Array;
  vector: Uint8Array;
}

export function headOf(collectionId: string, record: RowRecord): RowHead {
  return {
    id: `${collectionId}/${record.key}`,
    collectionId,
    jobId: record.job,
    attempt: record.attempt,
    ordinal: record.ordinal,
    type: record.type,
    acceptedAt: record.accepted_at,
    intent: textOf(record.intent),
    vector: floatsOf(record.vector),
  };
}

export function rowOf(collectionId: string, record: ContentRecord): Row {
  return { ...headOf(collectionId, record), text: textOf(record.text), body: textOf(record.body) };
}

export function markerOf(collectionId: string, record: MarkerRecord): DeletionMarker {
  const { intent, threshold, deleted_at: deletedAt, vector } = record;
  return { collectionId, intent: textOf(intent), vector: floatsOf(vector), threshold, deletedAt };
}

export function packRows<Item extends RowHead>(items: Item[]): PackedRows<Item> {
  const dimension = items[0]?.vector.length ?? 0;
  const vectors = new Float32Array(items.length * dimension);
  const rows = items.map(({ vector, ...row }, index) => {
    if (vector.length !== dimension) throw new AppError('invalid_argument', 'Vectors of one write have one dimension');
    vectors.set(vector, index * dimension);
    return row;
  });
  return { rows, vectors };
}

export function unpackRows<Item extends RowHead>({ rows, vectors }: PackedRows<Item>): Item[] {
  const dimension = rows.length === 0 ? 0 : vectors.length / rows.length;
  return rows.map(
    (row, index) => ({ ...row, vector: vectors.subarray(index * dimension, (index + 1) * dimension) }) as Item,
  );
}

export function bytesOf(numbers: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Free text is stored as bytes: as text, SQLite would end it at the first NUL. */
export function bytesOfText(text: string): Uint8Array {
  return Buffer.from(text);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
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
