import { type FetchOptions, fetchOnce } from './fetch-once.js';
import { kafkaJars } from './kafka/kafka-jars.js';
import { milvusLiteEnvironment } from './milvus/milvus-lite-environment.js';

/** Fetches whatever is not there yet, so that starting needs no network any more. */
export async function fetchEngines(options: FetchOptions = {}): Promise<void> {
  await Promise.all([
    kafkaJars().then((jars) => fetchOnce(jars, options)),
    milvusLiteEnvironment().then((environment) => fetchOnce(environment, options)),
  ]);
}
