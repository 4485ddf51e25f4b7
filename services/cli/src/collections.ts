import { accountPrefixOf, defaultCollectionIdOf, hasKeyShape, workflowCollectionIdOf } from '@whetstone/identity';
import type { Row, VectorStore } from '@whetstone/indexer';
import { AppError } from '@whetstone/platform';

export interface CollectionChoice {
  /** The `tenant_id` of its callers, or its internal id. */
  collection?: string;
  account?: string;
}

/** Internal ids, as in exports and logs. */
const idShape = /^c[0-9a-f]{16}_[0-9a-f]{32}$/;

/**
 * Sorted by id. Rejects with AppError `invalid_argument` for a name without its account, and for a collection that does not
 * exist, so that a mistyped name does not look like an empty collection.
 */
export async function chosenCollections(
  store: Pick<VectorStore, 'listCollections'>,
  { collection, account }: CollectionChoice,
): Promise<string[]> {
  const wanted = collection === undefined ? undefined : collectionIdOf(collection, account);
  const prefix = account === undefined ? '' : accountPrefixOf(account);
  const ids = await store.listCollections();
  const chosen = ids.filter((id) => id.startsWith(prefix) && (wanted === undefined || id === wanted)).sort();
  if (wanted !== undefined && chosen.length === 0) throw notThere(account);
  return chosen;
}

const pageRows = 200;

/** Sorted by id. */
export async function* rowsOf(store: Pick<VectorStore, 'page'>, collectionId: string): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const page = await store.page(collectionId, { limit: pageRows, ...(after !== undefined && { after }) });
    yield* page;
    after = page.length < pageRows ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}

/** Any key of the account names its default collection. */
function collectionIdOf(name: string, account: string | undefined): string {
  if (idShape.test(name)) return name;
  if (account === undefined) {
    throw new AppError('invalid_argument', 'Add --account: a collection name is unique only within its account');
  }
  return hasKeyShape(name) ? defaultCollectionIdOf(account) : workflowCollectionIdOf(account, name);
}

function notThere(account: string | undefined): AppError {
  const where = account === undefined ? 'No such collection exists' : `${account} has no such collection`;
  return new AppError('invalid_argument', `${where}, or nothing has been stored in it yet`);
}
