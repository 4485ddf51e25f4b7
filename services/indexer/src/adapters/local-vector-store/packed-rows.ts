import type { Row, RowHead, RowType } from '../../domain/ports.js';
import { floatsOf } from './row-codec.js';

/**
 * Any number of rows in three values, as SQLite puts them together and as they are handed from thread to thread: read one by
 * one, column by column, they would take ten times as long. `meta` has a line a row: key, type, acceptance, and how many
 * bytes of `contents` are its intent and, where the rows are whole, its text and its body. Null: no rows.
 */
export interface PackedRows {
  meta: string | null;
  vectors: Uint8Array | null;
  contents: Uint8Array | null;
}

/** Of `rows` joined with `contents`; `source` is everything from FROM on. */
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
      SELECT rows.key || ' ' || rows.type || ' ' || accepted_at || ' ' || ${lengths} AS meta, vector, ${content} AS content
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
    const [key = '', type, acceptedAt, ...lengths] = line.split(' ');
    const [intent = '', ...texts] = lengths.map((length) => {
      const start = at;
      at += Number(length);
      return bytes.toString('utf8', start, at);
    });
    const [jobId = '', attempt = '', ordinal] = key.split('/');
    const head: RowHead = {
      id: `${collectionId}/${key}`,
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
