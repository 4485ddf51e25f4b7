import type {
  CollectionDescription,
  DescribeCollectionsRequest,
  DescribeCollectionsResult,
} from '@whetstone/contracts';
import { AppError, type CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { foldDecisions, settingsJob } from './decisions.js';
import type { VectorStore } from './ports.js';

const maxCollections = 200;
const atOnce = 16;

/** How much some collections hold, and their settings. */
export function createDescribeCollections({ store }: { store: VectorStore }) {
  async function describe(collectionId: string): Promise<CollectionDescription> {
    const [insights, decisions] = await Promise.all([
      store.countInsights(collectionId),
      store.rowsOfJobs(collectionId, [settingsJob]),
    ]);
    return { collectionId, insights, settings: foldDecisions(decisions).settings };
  }

  return async function describeCollections(
    { collectionIds }: DescribeCollectionsRequest,
    { signal }: CallContext,
  ): Promise<DescribeCollectionsResult> {
    if (collectionIds.length > maxCollections) {
      throw new AppError('invalid_argument', `More than ${maxCollections} collections`);
    }
    const collections: CollectionDescription[] = [];
    for (let at = 0; at < collectionIds.length; at += atOnce) {
      checkCancelled(signal);
      collections.push(...(await Promise.all(collectionIds.slice(at, at + atOnce).map(describe))));
    }
    return { collections };
  };
}

export type DescribeCollections = ReturnType<typeof createDescribeCollections>;
