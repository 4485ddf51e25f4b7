import { accountPrefixOf, defaultCollectionIdOf, hasKeyShape, workflowCollectionIdOf } from '@whetstone/identity';
import type { Row, VectorStore } from '@whetstone/indexer';
import { AppError } from '@whetstone/platform';

export interface CollectionChoice {
  /** As callers name it in `tenant_id`; or its id inside the system. */
  collection?: string;
  account?: string;
}

/** What exports and logs call a collection. */
const idShape = /^c[0-9a-f]{16}_[0-9a-f]{32}$/;

/**
 * In the order of their ids. Rejects with AppError `invalid_argument` for a name without its account, and for a collection that
 * is not there: a mistyped name must not look like one that holds nothing.
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

/** In the order of their ids. */
export async function* rowsOf(store: Pick<VectorStore, 'page'>, collectionId: string): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const page = await store.page(collectionId, { limit: pageRows, ...(after !== undefined && { after }) });
    yield* page;
    after = page.length < pageRows ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}

/** A key, whichever of the account's, names its default collection. */
function collectionIdOf(name: string, account: string | undefined): string {
  if (idShape.test(name)) return name;
  if (account === undefined) {
    throw new AppError('invalid_argument', 'A collection is named inside its account: say which with --account');
  }
  return hasKeyShape(name) ? defaultCollectionIdOf(account) : workflowCollectionIdOf(account, name);
}

function notThere(account: string | undefined): AppError {
  const where = account === undefined ? 'There is no such collection' : `${account} has no such collection`;
  return new AppError('invalid_argument', `${where}, or nothing has been stored in it yet`);
}
