import { type DataKeyEvent, topics } from '@whetstone/contracts';
import { createTopicView, type EventLog, encodeMessage, type TopicView } from '@whetstone/event-log';
import {
  createDataKey,
  createDataKeyRing,
  type DataKey,
  keyOfDataKeyEvent,
  prefixOfCollection,
  type RootSecrets,
} from '@whetstone/identity';
import { AppError, type Clock, isAppError, type Logger, type Registry, retry, sleep } from '@whetstone/platform';
import type { CollectionNames, DataKeyEraser, DataKeyReader } from '../domain/ports.js';

interface DataKeysDeps {
  log: Pick<EventLog, 'append' | 'follow'>;
  roots: RootSecrets;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

export interface DataKeys
  extends DataKeyEraser,
    DataKeyReader,
    CollectionNames,
    Pick<TopicView, 'start' | 'caughtUp' | 'stop'> {
  /**
   * The key for a new upload, durable in the log, and with it the name of the collection. Rejects with AppError
   * `log_unavailable` or `too_many_collections`.
   */
  keyFor(collectionId: string, name: string | undefined): Promise<DataKey>;
}

const topic = topics.collections.name;
/** An append is tried for as long. */
const catchUpWithinMs = 6000;
/** Of one account, erased ones included. Every gateway and analyser remembers their keys. */
const maxCollections = 50_000;
/** Of the time that an erasure waits. The rest is for clocks, and for an append that is under way. */
const usableShare = 0.75;

/**
 * The data keys, from a view of their topic. A gateway uses a key only while its view was at the end of the topic a
 * moment ago; otherwise it catches up first. So an erasure that has retired the keys and waited for `handoverMs` knows
 * that no gateway encrypts with them any more, and may destroy them. 0 where no other gateway exists: its own
 * view needs no time.
 */
export function createDataKeys({ log, roots, clock, ...deps }: DataKeysDeps, handoverMs: number): DataKeys {
  const ring = createDataKeyRing(roots);
  const view = createTopicView<DataKeyEvent>({ log, topic, name: 'data_keys', apply: ring.apply, ...deps });
  const creating = new Map<string, Promise<void>>();

  async function record(event: DataKeyEvent): Promise<void> {
    await log.append(topic, { key: keyOfDataKeyEvent(event), value: await encodeMessage(event) });
    ring.apply(event);
  }

  /** Uploads that arrive meanwhile share the new key. */
  function create(collectionId: string, name: string | undefined): Promise<void> {
    const known = creating.get(collectionId);
    if (known !== undefined) return known;
    const isNew = !ring.knows(collectionId);
    if (isNew && ring.collectionsOf(prefixOfCollection(collectionId)) >= maxCollections) {
      return Promise.reject(tooMany());
    }
    const key = createDataKey(roots, collectionId, clock.now(), name);
    const made = record(key).finally(() => creating.delete(collectionId));
    creating.set(collectionId, made);
    return made;
  }

  function catchUp(collectionId: string): Promise<void> {
    const retryIf = (error: unknown) => isAppError(error) && error.retryable;
    return retry(() => view.catchUp(collectionId), { retryIf, withinMs: catchUpWithinMs, longestWaitMs: 500 });
  }

  /** Another gateway may have erased a collection a moment ago. */
  async function readOn(partitionKey: string): Promise<void> {
    if (handoverMs > 0) await catchUp(partitionKey);
  }

  return {
    start: view.start,
    caughtUp: view.caughtUp,
    stop: view.stop,
    async keyFor(collectionId, name) {
      if (handoverMs > 0 && view.ageSeconds() * 1000 > handoverMs * usableShare) await catchUp(collectionId);
      for (;;) {
        const key = ring.active(collectionId);
        // A key of an earlier version came without the name: another one brings it.
        if (key && (name === undefined || ring.isNamed(collectionId))) return key;
        await create(collectionId, name);
      }
    },
    async keysOf(collectionId) {
      await readOn(collectionId);
      return (dataKeyId) => {
        const found = ring.find(collectionId, dataKeyId);
        return found === 'destroyed' ? undefined : found?.bytes;
      };
    },
    async collectionsOf(accountPrefix, limit, after) {
      await readOn(accountPrefix);
      return ring.list(accountPrefix, limit, after);
    },
    async retire(collectionId) {
      await catchUp(collectionId);
      const ids = ring.living(collectionId);
      const retiredAt = clock.now();
      await Promise.all(ids.map((dataKeyId) => record({ type: 'retired', collectionId, dataKeyId, retiredAt })));
      const handedOverAtMs = performance.now() + (ids.length > 0 ? handoverMs : 0);

      return async function destroy(signal) {
        const waitMs = handedOverAtMs - performance.now();
        if (waitMs > 0) await sleep(waitMs, { signal });
        const destroyedAt = clock.now();
        await Promise.all(ids.map((dataKeyId) => record({ type: 'destroyed', collectionId, dataKeyId, destroyedAt })));
      };
    },
  };
}

function tooMany(): AppError {
  const message = `The account has named ${maxCollections} collections, the most that is allowed; use an existing tenant_id`;
  return new AppError('too_many_collections', message);
}
