import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Engine, startKafka, startMilvus } from '@whetstone/deploy';

/**
 * Engines that test files share: tests use their own topics and collections and kill nothing. The runner starts the engines
 * once and passes their addresses in these variables; a test file that runs alone starts what it needs.
 */
const names = { kafka: 'WHETSTONE_TEST_KAFKA_BROKERS', milvus: 'WHETSTONE_TEST_MILVUS_ADDRESS' } as const;

/** By default compaction, which a test waits for, starts only after 15 seconds. */
const kafkaSettings = { 'log.cleaner.backoff.ms': '100' };

export interface SharedEngines {
  env: Record<string, string>;
  stop(): Promise<void>;
}

export async function startSharedEngines(): Promise<SharedEngines> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-engines-'));
  const started = await Promise.allSettled([
    startKafka({ folder: join(folder, 'kafka'), settings: kafkaSettings }),
    startMilvus({ folder: join(folder, 'milvus') }),
  ]);
  const stop = async () => {
    await Promise.all(started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)));
    await rm(folder, { recursive: true, force: true });
  };
  const [kafka, milvus] = started;
  if (kafka.status === 'fulfilled' && milvus.status === 'fulfilled') {
    return { env: { [names.kafka]: kafka.value.brokers.join(','), [names.milvus]: milvus.value.address }, stop };
  }
  await stop();
  throw kafka.status === 'rejected' ? kafka.reason : (milvus as PromiseRejectedResult).reason;
}

/** Call it at the top of a test file or inside `describe`. */
export function sharedKafka(): () => string[] {
  const address = sharedEngine(names.kafka, async (folder) => {
    const engine = await startKafka({ folder, settings: kafkaSettings });
    return { engine, address: engine.brokers.join(',') };
  });
  return () => address().split(',');
}

/** Call it at the top of a test file or inside `describe`. */
export function sharedMilvus(): () => string {
  return sharedEngine(names.milvus, async (folder) => {
    const engine = await startMilvus({ folder });
    return { engine, address: engine.address };
  });
}

function sharedEngine(name: string, start: (folder: string) => Promise<{ engine: Engine; address: string }>) {
  let address = process.env[name] ?? '';
  if (address !== '') return () => address;
  let folder = '';
  let engine: Engine | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-engine-'));
    ({ engine, address } = await start(folder));
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return () => address;
}
