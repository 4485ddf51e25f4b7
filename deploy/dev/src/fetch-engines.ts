import { clusterEngines, type EngineName } from './engine-names.js';
import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { kafkaJars } from './kafka/kafka-jars.js';
import { milvusLiteEnvironment } from './milvus/milvus-lite-environment.js';
import { modelServerEnvironment } from './model-server/model-server-environment.js';

const fetchables: Readonly<Record<EngineName, () => Promise<Fetchable>>> = {
  kafka: kafkaJars,
  milvus: milvusLiteEnvironment,
  'model server': modelServerEnvironment,
};

/** Fetches whatever is not there yet, so that starting needs no network any more. */
export async function fetchEngines(
  options: FetchOptions = {},
  engines: readonly EngineName[] = clusterEngines,
): Promise<void> {
  await Promise.all(engines.map(async (engine) => fetchOnce(await fetchables[engine](), options)));
}
