import type { CollectionAnswer, CollectionList, Page } from '@whetstone/contracts';
import {
  accountPrefixOf,
  type CollectionPlace,
  defaultCollectionIdOf,
  type KnownCollection,
} from '@whetstone/identity';
import { type CallContext, isTimeAndId, readCursor, writeCursor } from '@whetstone/platform';
import { formatMoment } from './look-up-job.js';
import type { CollectionNames, JobLookup, LessonKeeper } from './ports.js';
import type { Caller } from './resolve-collection.js';

interface ListCollectionsDeps {
  names: CollectionNames;
  indexer: Pick<LessonKeeper, 'describeCollections'>;
  status: Pick<JobLookup, 'countRuns'>;
}

/** Rejects with AppError `invalid_argument` if the cursor is not one of its own. */
export type ListCollections = (caller: Caller, page: Page, call: CallContext) => Promise<CollectionList>;

export function createListCollections({ names, indexer, status }: ListCollectionsDeps): ListCollections {
  return async ({ account }, { limit, cursor }, call) => {
    const after = cursor === undefined ? undefined : placeOf(cursor);
    // One more tells whether there is another page.
    const found = await names.collectionsOf(accountPrefixOf(account), limit + 1, after);
    const page = found.slice(0, limit);
    const collectionIds = page.map(({ collectionId }) => collectionId);
    const [described, counted] =
      page.length === 0
        ? [{ collections: [] }, { counts: [] }]
        : await Promise.all([
            indexer.describeCollections({ collectionIds }, call),
            status.countRuns({ collectionIds }, call),
          ]);
    const descriptions = new Map(described.collections.map((one) => [one.collectionId, one]));
    const counts = new Map(counted.counts.map((one) => [one.collectionId, one]));
    const defaultId = defaultCollectionIdOf(account);

    const collections = page.map(({ collectionId, name }: KnownCollection): CollectionAnswer => {
      const { insights = 0, settings = {} } = descriptions.get(collectionId) ?? {};
      const { runs = 0, lastAcceptedAt } = counts.get(collectionId) ?? {};
      return {
        tenant_id: name ?? null,
        default: collectionId === defaultId,
        insights,
        runs,
        last_upload_at: lastAcceptedAt === undefined ? null : formatMoment(lastAcceptedAt),
        review: settings.review ?? 'none',
        holdout_share: settings.holdoutShare ?? null,
        retention_days: settings.retentionDays ?? null,
      };
    });
    const last = found.length > limit ? page.at(-1) : undefined;
    return { collections, next_cursor: last ? writeCursor([last.createdAt, last.collectionId]) : null };
  };
}

function placeOf(cursor: string): CollectionPlace {
  const [createdAt, collectionId] = readCursor(cursor, isTimeAndId);
  return { createdAt, collectionId };
}
