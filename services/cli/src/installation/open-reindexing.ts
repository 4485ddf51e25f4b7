import {
  type Embedder,
  type EmbeddingConfig,
  embeddingModelOf,
  openEmbedder,
  reindex,
  upgradeRows,
  type VectorStore,
} from '@whetstone/indexer';
import {
  checkShardSet,
  dropShardSet,
  listShardSets,
  milvusConfigOf,
  openMilvusVectorStore,
  type ShardSet,
} from '@whetstone/indexer/milvus';
import { type Logger, Registry } from '@whetstone/platform';
import type { ClusterConfig } from './cluster-installation.js';
import type { OldKnowledge, OpenPart, Reindexing } from './installation.js';

/** The shard sets in Milvus: the configured one and older ones. */
export async function openReindexing(
  values: ClusterConfig,
  embedding: EmbeddingConfig,
  logger: Logger,
): Promise<OpenPart<Reindexing>> {
  const config = milvusConfigOf(values);
  const target: ShardSet = { model: embeddingModelOf(embedding), shards: config.shards };

  function open({ model, shards }: ShardSet): Promise<VectorStore> {
    return openMilvusVectorStore({ config: { ...config, shards }, model, logger, besideOthers: true, mustServe: true });
  }

  function oldKnowledge(set: ShardSet): OldKnowledge {
    return {
      name: nameOf(set),
      model: set.model.name,
      async move(options) {
        const opened: (VectorStore | Embedder)[] = [];
        const keep = <Kind extends VectorStore | Embedder>(part: Kind): Kind => {
          opened.push(part);
          return part;
        };
        try {
          const [source, to] = [keep(await open(set)), keep(await open(target))];
          if (isSameModel(set, target)) return await reindex({ source, target: to }, options);
          const embedder = keep(await openEmbedder({ config: embedding, logger, registry: new Registry() }));
          return await reindex({ source, target: to, embedder }, options);
        } finally {
          await Promise.all(opened.map((part) => part.close()));
        }
      },
      remove: () => dropShardSet({ config, logger }, set),
    };
  }

  const part: Reindexing = {
    target: nameOf(target),
    check: () => checkShardSet({ config, logger }, target),
    async sources() {
      const sets = await listShardSets({ config, logger });
      return sets.filter((set) => nameOf(set) !== nameOf(target)).map(oldKnowledge);
    },
    async upgrade(options) {
      const sets = await listShardSets({ config, logger });
      if (!sets.some((set) => nameOf(set) === nameOf(target))) return { upgraded: 0 };
      const store = await open(target);
      return upgradeRows({ store }, options).finally(() => store.close());
    },
  };
  return { part, close: async () => {} };
}

function nameOf({ model, shards }: ShardSet): string {
  return `${model.name}, ${model.dimension} dimensions, ${shards} shards`;
}

function isSameModel({ model: one }: ShardSet, { model: other }: ShardSet): boolean {
  return one.name === other.name && one.dimension === other.dimension;
}
