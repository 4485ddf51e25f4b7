import { join } from 'node:path';

import { fetchEngines, missingPrerequisites, startKafka, startMilvus } from '@whetstone/deploy';

import type { Options } from './options.js';

/** Kafka and Milvus beside the cluster. */
export interface Engines {
  kafka: string[];
  milvus: string;
  /** Started by us: a single broker whose files we can search. */
  own: boolean;
  stop(): Promise<void>;
}

/** Nobody kills this broker, so it may be slow without losing its partitions. */
const patient = { 'broker.session.timeout.ms': '30000', 'broker.heartbeat.interval.ms': '3000' };

export async function openEngines({ kafka, milvus, enginesHost }: Options, folder: string): Promise<Engines> {
  if (kafka.length > 0 && milvus !== '') return { kafka, milvus, own: false, stop: async () => {} };
  const missing = await missingPrerequisites();
  if (missing !== undefined) throw new Error(missing);
  await fetchEngines({ say: console.log });
  const host = enginesHost;
  const [broker, store] = await Promise.all([
    startKafka({ folder: join(folder, 'kafka'), host, settings: patient }),
    startMilvus({ folder: join(folder, 'milvus'), host }),
  ]);
  return {
    kafka: broker.brokers,
    milvus: store.address,
    own: true,
    async stop() {
      await Promise.all([broker.stop(), store.stop()]);
    },
  };
}
