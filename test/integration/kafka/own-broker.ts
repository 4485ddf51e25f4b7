import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Kafka as Broker, startKafka } from '@whetstone/deploy';

/** On a busy machine. */
const startWithinMs = 180_000;

/** A broker that a test may kill, for one test file. Call it at the top of the file or inside `describe`. */
export function ownBroker(options: { secured?: boolean } = {}): () => Broker {
  let folder = '';
  let broker: Broker | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-broker-'));
    broker = await startKafka({ folder, ...options });
  }, startWithinMs);
  afterAll(async () => {
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return () => broker as Broker;
}
