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

import { type Ask, MilvusFailure, type Operation, type RetryingCalls } from './milvus-calls.js';

/** A Milvus collection that is there, of the right layout, indexed and loaded whenever it is used. */
export interface PreparedCollection {
  readonly name: string;
  /** Prepares it now, so that a mistake shows. */
  ready(): Promise<void>;
  /** Sends a request about it, again where that may help. Throws AppError `model_mismatch` where its layout is another. */
  use<Answer>(ask: Ask<Answer>): Promise<Answer>;
  /** Several requests in the time of one operation, all from the beginning where one fails. */
  useForSeveral<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result>;
}

interface PreparedCollectionOptions {
  client: MilvusClient;
  calls: RetryingCalls;
  name: string;
  layout: Layout;
  /** Before anything is made; may refuse it. */
  admit(operation: Operation): Promise<void>;
}

export function createPreparedCollection(options: PreparedCollectionOptions): PreparedCollection {
  const { client, calls, name, layout, admit } = options;
  let prepared: Promise<void> | undefined;

  function useForSeveral<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
    return calls.retried(async (operation) => {
      prepared ??= prepare(operation);
      const current = prepared;
      try {
        await current;
        return await work(operation);
      } catch (error) {
        // After a restart, a release or a drop: prepared again before the next try.
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

  /** Fails where another indexer was faster, with an error that says little; the next try finds what that one made. */
  async function create(operation: Operation) {
    await admit(operation);
    const request = {
      collection_name: name,
      fields: layout.fields,
      functions: layout.functions,
      // One channel: all rows of a request are one message, and so there together or not at all.
      shards_num: 1,
      consistency_level: 'Bounded',
    };
    await operation.once((timeout) => client.createCollection({ ...request, timeout }));
    const described = await describe(operation);
    if (!described) throw new MilvusFailure('no_collection', `${name} was made and is not there`);
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
    ready: () => useForSeveral(async () => undefined),
    useForSeveral,
    use: (ask) => useForSeveral((operation) => operation.once(ask)),
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
    `The Milvus collection ${name} was not made by this version of Whetstone for this embedding model: ${difference}. ` +
      'Configure the model and the version that made it, or another database.',
  );
}

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
  return extra && `it has a field ${extra.name} that does not belong there`;
}
