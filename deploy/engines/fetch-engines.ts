import { chartToolsFetchables } from '../chart/chart-tools.js';
import { clusterEngines, type EngineName } from './engine-names.js';
import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { kafkaJars } from './kafka-jars.js';
import { milvusLiteEnvironment } from './milvus-lite-environment.js';
import { modelServerEnvironment } from './model-server-environment.js';

const fetchables: Readonly<Record<EngineName, () => Promise<Fetchable[]>>> = {
  kafka: async () => [await kafkaJars()],
  milvus: async () => [await milvusLiteEnvironment()],
  'model server': async () => [await modelServerEnvironment()],
  'chart tools': chartToolsFetchables,
};

/** Fetches whatever is not there yet, so that starting needs no network any more. */
export async function fetchEngines(
  options: FetchOptions = {},
  engines: readonly EngineName[] = clusterEngines,
): Promise<void> {
  await Promise.all(
    engines.map(async (engine) => {
      // One after another: a build has use for every core.
      for (const fetchable of await fetchables[engine]()) await fetchOnce(fetchable, options);
    }),
  );
}
