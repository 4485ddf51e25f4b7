import type { Row } from '@whetstone/indexer';

export interface ModelName {
  name: string;
  dimension: number;
}

/** A row, and the model that made its vector. */
export interface ExportedRow {
  row: Row;
  model: ModelName;
}

/** A row as one line of JSON. */
export function writeRowLine({ row, model }: ExportedRow): string {
  const { collectionId, jobId, attempt, ordinal, type, acceptedAt, intent, text, body, vector } = row;
  return JSON.stringify({
    collection_id: collectionId,
    job_id: jobId,
    attempt,
    ordinal,
    type,
    accepted_at: acceptedAt,
    intent,
    text,
    body: JSON.parse(body),
    model: model.name,
    dimension: model.dimension,
    vector: encodeVector(vector),
  });
}

/** Little endian on every machine, so that a file can move. */
function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
