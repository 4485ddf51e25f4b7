import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Kafka, type Milvus, startKafka, startMilvus } from '@whetstone/deploy';
import { decodeMessage, type EventLog, type Following } from '@whetstone/event-log';
import { openKafkaEventLog } from '@whetstone/event-log/kafka';
import { readOrCreateRootSecrets } from '@whetstone/identity';
import {
  createIndexer,
  defaultModel,
  type Embedder,
  type IndexerService,
  openLocalEmbedder,
  type VectorStore,
} from '@whetstone/indexer';
import { aCollection, aReplacement } from '@whetstone/indexer/conformance';
import { openMilvusVectorStore } from '@whetstone/indexer/milvus';
import { createLogger, createSystemClock, dataFolder, Registry } from '@whetstone/platform';

/** Real engines for operator commands, without services: the test writes what services would. */
export interface OperatedEngines {
  kafka: Kafka;
  milvus: Milvus;
  folder: string;
  /** Settings with which commands and services find them. */
  settings: Record<string, string>;
  withLog<Result>(work: (log: EventLog) => Promise<Result>): Promise<Result>;
  /** Applies what is in the topic, and what is appended while `work` runs. */
  follow<Message>(
    topic: string,
    apply: (message: Message) => void,
    work?: (following: Following) => Promise<void>,
  ): Promise<void>;
  /** One job per collection with this intent, three rows each; embedded by the bundled model unless another is given. */
  learn(intents: Record<string, string>, embedder?: Embedder): Promise<void>;
  /** A successful job that cites an answer with an insight of the collection: two rows, one of them a vote. */
  cite(name: string): Promise<void>;
  forget(): Promise<void>;
  /** As a standalone server leaves it at its first start. */
  dataFolder(): Promise<string>;
  destroy(): Promise<void>;
}

const shards = 2;

export async function startOperatedEngines(): Promise<OperatedEngines> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-operated-'));
  const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
  const [kafka, milvus] = await Promise.all([
    startKafka({ folder: join(folder, 'kafka') }),
    startMilvus({ folder: join(folder, 'milvus') }),
  ]);

  async function withLog<Result>(work: (log: EventLog) => Promise<Result>): Promise<Result> {
    const log = await openKafkaEventLog({ config: { brokers: kafka.brokers }, clientId: 'whetstone-test', logger });
    try {
      return await work(log);
    } finally {
      await log.close();
    }
  }

  async function withStore<Result>(
    model: Embedder['model'],
    work: (store: VectorStore) => Promise<Result>,
  ): Promise<Result> {
    const common = { address: milvus.address, database: 'default', shards, timeoutMs: 20_000 };
    const config = { ...common, vectorIndex: 'FLAT', searchConsistency: 'bounded' } as const;
    const store = await openMilvusVectorStore({ config, model, logger, besideOthers: true });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async function withIndexer(given: Embedder | undefined, work: (api: IndexerService['api']) => Promise<void>) {
    const embedder = given ?? (await openLocalEmbedder({ logger }));
    try {
      await withStore(embedder.model, async (store) => {
        const clock = createSystemClock();
        const config = {
          maxCollectionsPerAccount: 10,
          maxDeletionsPerCollection: 1_000,
          agentTypeBoost: 1,
          consolidation: { intervalMs: 0, settleMs: 0, retentionDays: 0 },
        };
        await work(createIndexer({ store, embedder, clock, logger, registry: new Registry() }, config).api);
      });
    } finally {
      await embedder.close();
    }
  }

  return {
    kafka,
    milvus,
    folder,
    settings: {
      WHETSTONE_KAFKA_BROKERS: kafka.brokers.join(','),
      WHETSTONE_MILVUS_ADDRESS: milvus.address,
      WHETSTONE_MILVUS_SHARDS: String(shards),
      WHETSTONE_MILVUS_TIMEOUT_MS: '5000',
    },
    withLog,
    follow: <Message>(
      topic: string,
      apply: (message: Message) => void,
      work = async (_: Following): Promise<void> => {},
    ) =>
      withLog(async (log) => {
        const following = await log.follow({
          topic,
          async onEvents(events) {
            for (const { value } of events) apply(await decodeMessage<Message>(value));
          },
          onReset: () => {},
          onCrash: () => {},
        });
        await following.caughtUp();
        await work(following);
        await following.stop();
      }),
    learn: (intents, embedder) =>
      withIndexer(embedder, async ({ replace }) => {
        for (const [name, intent] of Object.entries(intents)) {
          await replace(aReplacement({ collectionId: aCollection(name), jobId: `job_${name}`, intent }), {});
        }
      }),
    cite: (name) =>
      withIndexer(undefined, async ({ replace }) => {
        const collectionId = aCollection(name);
        const insightIds = [`${collectionId}/job_${name}/1/1`];
        const cited = { tokenDigest: `of-${name}`, arm: 'recommended' as const, insightIds };
        await replace(aReplacement({ collectionId, jobId: `citing_${name}`, intent: 'x', insights: [], cited }), {});
      }),
    forget: () =>
      withStore(defaultModel, async (store) => {
        for (const collectionId of await store.listCollections()) {
          const rows = await store.pageHeads(collectionId, { limit: 1000 });
          const ids = rows.map(({ id }) => id);
          await store.deleteRows(collectionId, ids);
        }
      }),
    async dataFolder() {
      const path = await mkdtemp(join(folder, 'data-'));
      await readOrCreateRootSecrets(dataFolder(path).rootSecret);
      return path;
    },
    async destroy() {
      await Promise.all([kafka.stop(), milvus.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
