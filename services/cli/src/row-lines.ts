import { isInsightName, isSummary, type Row, rowIdOf } from '@whetstone/indexer';
import { AppError } from '@whetstone/platform';
import { Ajv } from 'ajv';
import { type RowLine, rowLineSchema } from './row-line-schema.js';

export interface ModelName {
  name: string;
  dimension: number;
}

export interface ExportedRow {
  row: Row;
  model: ModelName;
}

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

/** Little-endian on every machine, so that files are portable. */
function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}

/** Limit of the store for each text of a row. */
const maxTextBytes = 65_535;
const unitTolerance = 1e-3;

/** Reads what `writeRowLine` wrote. The reader throws AppError `invalid_argument` for a bad line. */
export function createRowLineReader(): (line: string) => ExportedRow {
  const isRowLine = new Ajv({ discriminator: true }).compile<RowLine>(rowLineSchema);
  return (line) => {
    const value = parse(line);
    if (isRowLine(value)) return rowOf(value);
    const [error] = isRowLine.errors ?? [];
    throw mistake(`${error?.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${error?.message}`);
  };
}

function rowOf(given: RowLine): ExportedRow {
  const { collection_id: collectionId, job_id: jobId, attempt, ordinal, type, intent, text, dimension } = given;
  const id = rowIdOf(collectionId, jobId, attempt, ordinal);
  checkPlace(given);
  const body = JSON.stringify(given.body);
  for (const [name, content] of Object.entries({ intent, text, body })) {
    if (Buffer.byteLength(content) > maxTextBytes) throw mistake(`${name} has more than ${maxTextBytes} bytes`);
  }
  const vector = decodeVector(given.vector, dimension);
  const acceptedAt = given.accepted_at;
  return {
    model: { name: given.model, dimension },
    // Storing the row names it.
    row: { id, name: '', collectionId, jobId, attempt, ordinal, type, acceptedAt, intent, vector, text, body },
  };
}

/** What stands for several runs has a place of its own, and nothing else is there. */
function checkPlace({ job_id: jobId, ordinal, type, body }: RowLine): void {
  const { name, tally, answers } = body as { name?: string; tally?: object; answers?: object };
  if (type === 'insight' && isInsightName(jobId) !== (tally !== undefined)) {
    throw mistake('body.tally and a name as job_id belong together');
  }
  if (tally && (name !== jobId || ordinal !== 1)) throw mistake('body.name is not job_id, or ordinal is not 1');
  if (type === 'run' && isSummary({ jobId }) !== (answers !== undefined)) {
    throw mistake('body.answers and the job_id "answers" belong together');
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new AppError('invalid_argument', 'not valid JSON', { cause });
  }
}

function decodeVector(text: string, dimension: number): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== dimension * 4) throw mistake(`vector does not have ${dimension} numbers`);
  const vector = Float32Array.from({ length: dimension }, (_, index) => bytes.readFloatLE(index * 4));
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(Math.abs(length - 1) <= unitTolerance)) throw mistake('vector is not of unit length');
  return vector;
}

function mistake(text: string): AppError {
  return new AppError('invalid_argument', text);
}
