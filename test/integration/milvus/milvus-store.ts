import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Milvus, startMilvus } from '@whetstone/deploy';
import type { VectorStore } from '@whetstone/indexer';
import { conformanceModel } from '@whetstone/indexer/conformance';
import { type MilvusConfig, type MilvusVectorStoreOptions, openMilvusVectorStore } from '@whetstone/indexer/milvus';
import { createLogger } from '@whetstone/platform';

export interface MilvusUnderTest {
  milvus: Milvus;
  /** Deleted by `destroy`. */
  folder: string;
  /** By default with the conformance suite's model and a silent logger. */
  open(options?: OpenOptions): Promise<VectorStore>;
  config(changed?: Partial<MilvusConfig>): MilvusConfig;
  /** Stops the server and deletes its data. Close the stores first. */
  destroy(): Promise<void>;
}

export interface OpenOptions extends Partial<Omit<MilvusVectorStoreOptions, 'config'>> {
  config?: Partial<MilvusConfig>;
}

/** A real Milvus Lite with its own data. */
export async function startMilvusUnderTest(): Promise<MilvusUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-milvus-'));
  const milvus = await startMilvus({ folder });
  const config = (changed: Partial<MilvusConfig> = {}): MilvusConfig => ({
    address: milvus.address,
    database: 'default',
    shards: 2,
    vectorIndex: 'FLAT',
    searchConsistency: 'bounded',
    timeoutMs: 60_000,
    ...changed,
  });
  return {
    milvus,
    folder,
    config,
    open: ({ config: changed, ...options } = {}) =>
      openMilvusVectorStore({
        model: conformanceModel,
        logger: createLogger({ service: 'test', level: 'silent', pretty: false }),
        ...options,
        config: config(changed),
      }),
    async destroy() {
      await milvus.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
