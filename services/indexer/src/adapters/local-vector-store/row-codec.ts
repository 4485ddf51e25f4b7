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
  intent: string;
  vector: Uint8Array;
}

export interface ContentRecord extends RowRecord {
  text: string;
  body: string;
}

export interface MarkerRecord {
  deleted_at: number;
  threshold: number;
  intent: string;
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
    intent: record.intent,
    vector: floatsOf(record.vector),
  };
}

export function rowOf(collectionId: string, record: ContentRecord): Row {
  return { ...headOf(collectionId, record), text: record.text, body: record.body };
}

export function markerOf(collectionId: string, record: MarkerRecord): DeletionMarker {
  const { intent, threshold, deleted_at: deletedAt, vector } = record;
  return { collectionId, intent, vector: floatsOf(vector), threshold, deletedAt };
}

export function packRows<Item extends RowHead>(items: Item[]): PackedRows<Item> {
  const dimension = items[0]?.vector.length ?? 0;
  const vectors = new Float32Array(items.length * dimension);
  const rows = items.map(({ vector, ...row }, index) => {
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
