import { type DataKeyEvent, topics } from '@whetstone/contracts';
import { createTopicView, type EventLog } from '@whetstone/event-log';
import { createDataKeyRing, type RootSecrets } from '@whetstone/identity';
import { AppError, type Logger, type Registry } from '@whetstone/platform';

interface DataKeysDeps {
  log: Pick<EventLog, 'follow'>;
  roots: RootSecrets;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

/**
 * The key of an upload, or that it is destroyed. A key is in the log before the first upload that it encrypts, so one
 * that is unknown even at the end of the topic means a log in trouble: rejects with a retryable AppError.
 */
export type FindDataKey = (collectionId: string, dataKeyId: string) => Promise<Uint8Array | 'destroyed'>;

export interface DataKeys {
  find: FindDataKey;
  /** Begins to follow the topic. Does not wait for a log that is away: the analyser has answers to give meanwhile. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createDataKeys({ roots, ...deps }: DataKeysDeps): DataKeys {
  const ring = createDataKeyRing(roots);
  const topic = topics.collections.name;
  const view = createTopicView<DataKeyEvent>({ ...deps, topic, name: 'data_keys', apply: ring.apply });

  /** Whether the topic has been read to its end once. Before, a key may be destroyed and the ring not know it. */
  let isCurrent = false;

  async function find(collectionId: string, dataKeyId: string) {
    const known = isCurrent && ring.find(collectionId, dataKeyId);
    if (known) return known;
    await view.catchUp(collectionId);
    isCurrent = true;
    return ring.find(collectionId, dataKeyId);
  }

  return {
    async find(collectionId, dataKeyId) {
      const found = await find(collectionId, dataKeyId);
      if (found) return found === 'destroyed' ? found : found.bytes;
      const message = `The data key ${dataKeyId} is not in ${topic}, or its root secret is missing`;
      throw new AppError('log_unavailable', message, { retryable: true });
    },
    start: view.start,
    stop: view.stop,
  };
}
