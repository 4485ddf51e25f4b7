import {
  type CreateIndexSimpleReq,
  DataType,
  type FieldType,
  type FunctionObject,
  FunctionType,
} from '@zilliz/milvus2-sdk-node';

/** What Milvus allows a text to have, in bytes. */
export const maxTextBytes = 65_535;

/** Of which fields a Milvus collection consists, and what helps to find them. */
export interface Layout {
  fields: FieldType[];
  functions: FunctionObject[];
  indexes: Omit<CreateIndexSimpleReq, 'collection_name'>[];
}

const key: FieldType = { name: 'id', data_type: DataType.VarChar, max_length: 1_024, is_primary_key: true };
const collectionId: FieldType = { name: 'collection_id', data_type: DataType.VarChar, max_length: 255 };
const intent: FieldType = { name: 'intent', data_type: DataType.VarChar, max_length: maxTextBytes };
const vector = (dim: number): FieldType => ({ name: 'vector', data_type: DataType.FloatVector, dim });

/** Exact: an approximate index loses some of many equal vectors, and equal intents are the rule here. */
const exactly = { field_name: 'vector', index_name: 'vector', index_type: 'FLAT', metric_type: 'COSINE' };
const inverted = (field: string) => ({ field_name: field, index_name: field, index_type: 'INVERTED' });

/**
 * `words` is the text as `encodeWords` writes it; BM25 is computed from it by Milvus. `about`, `token` and `helped` repeat what a
 * vote says, and are empty in other rows.
 */
export function rowLayout(dimension: number): Layout {
  return {
    fields: [
      key,
      collectionId,
      { name: 'job_id', data_type: DataType.VarChar, max_length: 256 },
      { name: 'attempt', data_type: DataType.VarChar, max_length: 256 },
      { name: 'ordinal', data_type: DataType.Int32 },
      { name: 'type', data_type: DataType.VarChar, max_length: 16 },
      { name: 'accepted_at', data_type: DataType.Int64 },
      intent,
      vector(dimension),
      {
        name: 'words',
        data_type: DataType.VarChar,
        max_length: maxTextBytes,
        enable_analyzer: true,
        analyzer_params: { tokenizer: 'standard' },
      },
      { name: 'bm25', data_type: DataType.SparseFloatVector },
      { name: 'about', data_type: DataType.VarChar, max_length: 512 },
      { name: 'token', data_type: DataType.VarChar, max_length: 64 },
      { name: 'helped', data_type: DataType.Bool },
      { name: 'text', data_type: DataType.VarChar, max_length: maxTextBytes },
      { name: 'body', data_type: DataType.VarChar, max_length: maxTextBytes },
    ],
    functions: [
      { name: 'bm25', type: FunctionType.BM25, input_field_names: ['words'], output_field_names: ['bm25'], params: {} },
    ],
    indexes: [
      exactly,
      { field_name: 'bm25', index_name: 'bm25', index_type: 'SPARSE_INVERTED_INDEX', metric_type: 'BM25' },
      inverted('collection_id'),
      inverted('job_id'),
      inverted('type'),
      inverted('about'),
    ],
  };
}

export function markerLayout(dimension: number): Layout {
  return {
    fields: [
      key,
      collectionId,
      { name: 'deleted_at', data_type: DataType.Int64 },
      { name: 'threshold', data_type: DataType.Double },
      intent,
      vector(dimension),
    ],
    functions: [],
    indexes: [exactly, inverted('collection_id')],
  };
}

interface DescribedField {
  name: string;
  data_type: string;
  dim?: string | number;
}

/** How a collection that is there differs from its layout; undefined where it does not. */
export function differenceFrom({ fields }: Layout, described: DescribedField[]): string | undefined {
  for (const field of fields) {
    const there = described.find(({ name }) => name === field.name);
    if (!there) return `it has no field ${field.name}`;
    const type = DataType[field.data_type as DataType];
    if (there.data_type !== type) return `its field ${field.name} is ${there.data_type}, not ${type}`;
    if (field.dim !== undefined && Number(there.dim) !== field.dim) {
      return `its vectors have ${there.dim} dimensions, not ${field.dim}`;
    }
  }
  const extra = described.find(({ name }) => !fields.some((field) => field.name === name));
  return extra && `it has a field ${extra.name} that does not belong there`;
}
