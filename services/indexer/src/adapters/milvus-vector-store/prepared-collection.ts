import { AppError } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { MilvusFailure } from './failure.js';
import { differenceFrom, type Layout } from './layout.js';
import type { Ask, Operation, RetryingCalls } from './retrying-calls.js';

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
