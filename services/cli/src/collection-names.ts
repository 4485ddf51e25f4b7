import { type DataKeyEvent, topics } from '@whetstone/contracts';
import type { EventLog } from '@whetstone/event-log';
import { createDataKeyRing, type RootSecrets } from '@whetstone/identity';

import type { CliIo } from './io.js';
import { readTopic } from './read-topic.js';

/** The name of a collection, the `tenant_id` of its callers; default collections and those of earlier versions have none. */
export type CollectionNames = (collectionId: string) => string | undefined;

/** The names came to the log with the keys of the collections. */
export async function readCollectionNames(
  log: EventLog,
  roots: RootSecrets,
  io: Pick<CliIo, 'stderr'>,
): Promise<CollectionNames> {
  const ring = createDataKeyRing(roots);
  await readTopic<DataKeyEvent>(log, topics.collections.name, io, ring.apply);
  return ring.nameOf;
}
