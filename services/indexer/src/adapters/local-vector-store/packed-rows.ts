import { AppError } from '@whetstone/platform/worker';

import type { DeletionMarker, Row, RowHead, RowType } from '../../domain/ports.js';

/**
 * Rows packed into three values by SQLite and sent between threads like that: reading them column by column would take
 * ten times as long. `meta` has one line per row: key, type, acceptance time, name, and the byte lengths of its parts
 * in `contents`: intent and, for whole rows, text and body. Null: no rows.
 */
export interface PackedRows {
  meta: string | null;
  vectors: Uint8Array | null;
  contents: Uint8Array | null;
}

/** `source`: the query from FROM on, joining `rows`, `contents` and `names`. */
export function packedRowsQuery(source: string): string {
  const lengths = "length(intent) || ' ' || length(text) || ' ' || length(body)";
  return packedQuery(source, lengths, 'intent || text || body');
}

export function packedHeadsQuery(source: string): string {
  return packedQuery(source, 'length(intent)', 'intent');
}

function packedQuery(source: string, lengths: string, content: string): string {
  return `
    SELECT group_concat(meta, char(10)) AS meta, CAST(group_concat(vector, '') AS BLOB) AS vectors,
      CAST(group_concat(content, '') AS BLOB) AS contents
    FROM (
      SELECT rows.key || ' ' || rows.type || ' ' || accepted_at || ' ' || ifnull(name, '') || ' ' || ${lengths} AS meta,
        vector, ${content} AS content
      ${source}
    )`;
}

export function unpackRows(collectionId: string, packed: PackedRows): Row[] {
  return unpack(collectionId, packed).map(({ head, texts: [text = '', body = ''] }) => ({ ...head, text, body }));
}

export function unpackHeads(collectionId: string, packed: PackedRows): RowHead[] {
  return unpack(collectionId, packed).map(({ head }) => head);
}

function unpack(collectionId: string, { meta, vectors, contents }: PackedRows): { head: RowHead; texts: string[] }[] {
  if (meta === null || vectors === null || contents === null) return [];
  const lines = meta.split('\n');
  const floats = floatsOf(vectors);
  const dimension = floats.length / lines.length;
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  let at = 0;
  return lines.map((line, index) => {
    const [key = '', type, acceptedAt, name = '', ...lengths] = line.split(' ');
    const [intent = '', ...texts] = lengths.map((length) => {
      const start = at;
      at += Number(length);
      return bytes.toString('utf8', start, at);
    });
    const [jobId = '', attempt = '', ordinal] = key.split('/');
    const head: RowHead = {
      id: `${collectionId}/${key}`,
      name,
      collectionId,
      jobId,
      attempt,
      ordinal: Number(ordinal),
      type: type as RowType,
      acceptedAt: Number(acceptedAt),
      intent,
      vector: floats.subarray(index * dimension, (index + 1) * dimension),
    };
    return { head, texts };
  });
}

/** Rows as sent to the store's thread: all vectors in one buffer, which is transferred instead of copied. */
export interface RowBatch {
  rows: Omit<Row, 'vector'>[];
  vectors: Float32Array;
}

/** Markers in order of time, packed like rows. 17 digits tell any two thresholds apart. */
export function packedMarkersQuery(condition: string): string {
  return `
    SELECT group_concat(meta, char(10)) AS meta, CAST(group_concat(vector, '') AS BLOB) AS vectors,
      CAST(group_concat(intent, '') AS BLOB) AS contents
    FROM (
      SELECT collection_id || ' ' || deleted_at || ' ' || printf('%!.17g', threshold) || ' ' || length(intent) AS meta,
        vector, intent
      FROM markers WHERE ${condition} ORDER BY deleted_at
    )`;
}

export function unpackMarkers({ meta, vectors, contents }: PackedRows): DeletionMarker[] {
  if (meta === null || vectors === null || contents === null) return [];
  const lines = meta.split('\n');
  const floats = floatsOf(vectors);
  const dimension = floats.length / lines.length;
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  let at = 0;
  return lines.map((line, index) => {
    const [collectionId = '', deletedAt, threshold, length] = line.split(' ');
    const start = at;
    at += Number(length);
    return {
      collectionId,
      intent: bytes.toString('utf8', start, at),
      vector: floats.subarray(index * dimension, (index + 1) * dimension),
      threshold: Number(threshold),
      deletedAt: Number(deletedAt),
    };
  });
}

export function batchOf(items: Row[]): RowBatch {
  const dimension = items[0]?.vector.length ?? 0;
  const vectors = new Float32Array(items.length * dimension);
  const rows = items.map(({ vector, ...row }, index) => {
    if (vector.length !== dimension)
      throw new AppError('invalid_argument', 'Vectors written together must have the same dimension');
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

/** Text is stored as a blob: SQLite would cut it at the first NUL. */
export function bytesOfText(text: string): Uint8Array {
  return Buffer.from(text);
}

export function bytesOf(numbers: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(...alignedRange(bytes));
}

export function numbersOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(...alignedRange(bytes));
}

/** Blobs may be unaligned; those are copied. */
function alignedRange(bytes: Uint8Array): [ArrayBufferLike, number, number] {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return [buffer, byteOffset, byteLength / 4];
}
