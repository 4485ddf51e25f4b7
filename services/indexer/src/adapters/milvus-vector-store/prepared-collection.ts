import { AppError } from '@whetstone/platform';
import {
  type CreateIndexSimpleReq,
  DataType,
  type FieldType,
  type FunctionObject,
  FunctionType,
  type MilvusClient,
} from '@zilliz/milvus2-sdk-node';

import { maxTextBytes } from '../../domain/rows.js';
import { MilvusFailure, type Operation, type RetryingCalls, type Send } from './milvus-calls.js';
import type { VectorIndex } from './milvus-config.js';

/** A Milvus collection that is created, checked, indexed and loaded before each use. */
export interface PreparedCollection {
  readonly name: string;
  /** Prepares it now, to report mistakes early. */
  ready(): Promise<void>;
  /** Sends a request, with retries. Throws AppError `model_mismatch` if the collection has another layout. */
  use<Answer>(send: Send<Answer>): Promise<Answer>;
  /** Sends several requests within one deadline; a failure restarts all of them. */
  runOperation<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result>;
}

interface PreparedCollectionOptions {
  client: MilvusClient;
  calls: RetryingCalls;
  name: string;
  layout: Layout;
  /** Called before the collection is created; throws to prevent it. */
  admit(operation: Operation): Promise<void>;
}

export function createPreparedCollection(options: PreparedCollectionOptions): PreparedCollection {
  const { client, calls, name, layout, admit } = options;
  let prepared: Promise<void> | undefined;

  function runOperation<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
    return calls.withRetries(async (operation) => {
      prepared ??= prepare(operation);
      const current = prepared;
      try {
        await current;
        return await work(operation);
      } catch (error) {
        // Lost after a restart, release or drop: prepare it again before the next try.
        const lost = error instanceof MilvusFailure && ['not_loaded', 'no_collection'].includes(error.kind);
        if (prepared === current && (lost || !(await settled(current)))) prepared = undefined;
        throw error;
      }
    });
  }

  async function prepare(operation: Operation): Promise<void> {
    const described = (await describe(operation)) ?? (await create(operation));
    const difference = differenceFrom(layout, described.schema.fields as never);
    if (difference !== undefined) throw mismatch(name, difference);
    const indexed = await indexedFields(operation);
    for (const wanted of layout.indexes.filter(({ field_name }) => !indexed.includes(field_name))) {
      await operation.once((timeout) => client.createIndex({ ...wanted, collection_name: name, timeout }));
    }
    await operation.once((timeout) => client.loadCollection({ collection_name: name, timeout }));
  }

  async function describe(operation: Operation) {
    try {
      return await operation.once((timeout) => client.describeCollection({ collection_name: name, timeout }));
    } catch (failure) {
      if ((failure as MilvusFailure).kind === 'no_collection') return undefined;
      throw failure;
    }
  }

  /** Fails if another indexer creates it at the same time; the retry then finds it. */
  async function create(operation: Operation) {
    await admit(operation);
    const request = {
      collection_name: name,
      fields: layout.fields,
      functions: layout.functions,
      // One channel: the rows of a request are one message, written together or not at all.
      shards_num: 1,
      consistency_level: 'Bounded',
    };
    await operation.once((timeout) => client.createCollection({ ...request, timeout }));
    const described = await describe(operation);
    if (!described) throw new MilvusFailure('no_collection', `${name} was created but cannot be found`);
    return described;
  }

  async function indexedFields(operation: Operation): Promise<string[]> {
    try {
      const answer = await operation.once((timeout) => client.describeIndex({ collection_name: name, timeout }));
      return answer.index_descriptions.map(({ field_name }) => field_name);
    } catch (failure) {
      if (/index not (exist|found)|no index/i.test((failure as Error).message)) return [];
      throw failure;
    }
  }

  return {
    name,
    ready: () => runOperation(async () => undefined),
    runOperation,
    use: (send) => runOperation((operation) => operation.once(send)),
  };
}

async function settled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function mismatch(name: string, difference: string): AppError {
  return new AppError(
    'model_mismatch',
    `The Milvus collection ${name} does not match this version of Whetstone and embedding model: ${difference}. ` +
      'Use the version and model that created it, or another database.',
  );
}

/** Fields and indexes of a Milvus collection. */
export interface Layout {
  fields: FieldType[];
  functions: FunctionObject[];
  indexes: Omit<CreateIndexSimpleReq, 'collection_name'>[];
}

const key: FieldType = { name: 'id', data_type: DataType.VarChar, max_length: 1_024, is_primary_key: true };
const collectionId: FieldType = { name: 'collection_id', data_type: DataType.VarChar, max_length: 255 };
const intent: FieldType = { name: 'intent', data_type: DataType.VarChar, max_length: maxTextBytes };
const vector = (dim: number): FieldType => ({ name: 'vector', data_type: DataType.FloatVector, dim });

/** Exact by default: an approximate index loses some of many equal vectors, and equal intents are common here. */
const vectorIndex = (type: VectorIndex) => ({
  field_name: 'vector',
  index_name: 'vector',
  index_type: type,
  metric_type: 'COSINE',
  params: indexParams[type],
});
const indexParams = { FLAT: {}, HNSW: { M: 16, efConstruction: 200 }, IVF_FLAT: { nlist: 1_024 } };
const inverted = (field: string) => ({ field_name: field, index_name: field, index_type: 'INVERTED' });

/**
 * `words` is the text from `encodeWords`, from which Milvus computes `bm25`. `about`, `token` and `helped` repeat the
 * content of a vote and are empty in other rows, but `about` is the name of an insight.
 */
export function rowLayout(dimension: number, index: VectorIndex): Layout {
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
      vectorIndex(index),
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
    indexes: [vectorIndex('FLAT'), inverted('collection_id')],
  };
}

interface DescribedField {
  name: string;
  data_type: string;
  dim?: string | number;
}

/** Describes how a collection differs from its layout; `undefined` if it matches. */
function differenceFrom({ fields }: Layout, described: DescribedField[]): string | undefined {
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
  return extra && `it has an unknown field ${extra.name}`;
}
