import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Engine, startKafka, startMilvus } from '@whetstone/deploy';

/**
 * Engines that suites share: tests use topics and collections of their own and kill nothing. The runner starts them once and
 * names them in these variables; a test file that is run by itself starts what it needs.
 */
const names = { kafka: 'WHETSTONE_TEST_KAFKA_BROKERS', milvus: 'WHETSTONE_TEST_MILVUS_ADDRESS' } as const;

/** A test of compaction waits for it; by default it takes a quarter of a minute to begin. */
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

/** To be called at the top of a test file or inside `describe`. */
export function sharedKafka(): () => string[] {
  const address = sharedEngine(names.kafka, async (folder) => {
    const engine = await startKafka({ folder, settings: kafkaSettings });
    return { engine, address: engine.brokers.join(',') };
  });
  return () => address().split(',');
}

/** To be called at the top of a test file or inside `describe`. */
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
