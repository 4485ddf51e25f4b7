import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { chartToolsFetchables } from '../chart/chart-tools.js';
import { type Fetchable, type FetchOptions, fetchOnce, isFetched } from './fetch-once.js';
import { kafkaJars } from './kafka-jars.js';
import { openapiToolsEnvironment } from './openapi-tools.js';
import { findGo, findJava, findMaven, findPython, missingMessage } from './prerequisites.js';
import { guard } from './processes.js';
import { pythonClientEnvironment } from './python-client-packages.js';
import { collectorProgram } from './start-collector.js';
import { milvusLiteEnvironment } from './start-milvus.js';
import { modelServerEnvironment } from './start-model-server.js';

/** What development and tests download: servers to start, tools that check the chart and `/openapi.json`, frameworks for the Python client. */
export type EngineName =
  | 'kafka'
  | 'milvus'
  | 'model server'
  | 'chart tools'
  | 'python packages'
  | 'openapi tools'
  | 'collector';

export const clusterEngines: readonly EngineName[] = ['kafka', 'milvus'];

const fetchables: Readonly<Record<EngineName, () => Promise<Fetchable[]>>> = {
  kafka: async () => [await kafkaJars()],
  milvus: async () => [await milvusLiteEnvironment()],
  'model server': async () => [await modelServerEnvironment()],
  'chart tools': chartToolsFetchables,
  'python packages': async () => [await pythonClientEnvironment()],
  collector: async () => [await collectorProgram()],
  'openapi tools': async () => [await openapiToolsEnvironment()],
};

/** Fetches what is missing; after that, starting engines needs no network. */
export async function fetchEngines(
  options: FetchOptions = {},
  engines: readonly EngineName[] = clusterEngines,
): Promise<void> {
  await Promise.all(
    engines.map(async (engine) => {
      // One at a time: each build uses every core.
      for (const fetchable of await fetchables[engine]()) await fetchOnce(fetchable, options);
    }),
  );
}

/**
 * One message about what this machine lacks to fetch and run the engines; undefined if nothing. Maven is needed only until
 * Kafka is fetched, Go and Python until what they build and fetch is.
 */
export async function missingPrerequisites(
  engines: readonly EngineName[] = clusterEngines,
): Promise<string | undefined> {
  const forKafka = engines.includes('kafka');
  const forChart = engines.includes('chart tools') && !(await areFetched(await chartToolsFetchables()));
  const forCollector = engines.includes('collector') && !(await areFetched([await collectorProgram()]));
  const onPython: readonly EngineName[] = ['milvus', 'model server', 'python packages', 'openapi tools'];
  const forPython = forChart || onPython.some((engine) => engines.includes(engine));
  const [java, python, go, fetched] = await Promise.all([
    forKafka ? findJava() : 'not needed',
    forPython ? findPython() : 'not needed',
    forChart || forCollector ? findGo() : 'not needed',
    forKafka ? kafkaJars().then((jars) => isFetched(jars)) : true,
  ]);
  return missingMessage({
    java: java !== undefined,
    maven: fetched || (await findMaven()),
    python: python !== undefined,
    go: go !== undefined,
  });
}

async function areFetched(things: readonly Fetchable[]): Promise<boolean> {
  const fetched = await Promise.all(things.map((one) => isFetched(one)));
  return !fetched.includes(false);
}

const program = fileURLToPath(new URL('fetch-ahead-main.js', import.meta.url));

/**
 * Starts fetching engines in a process of low priority, and returns a function that ends it. Whoever needs an engine still calls
 * `fetchEngines`, which waits for this process, or fetches what it could not.
 */
export function fetchAhead(engines: readonly EngineName[]): () => void {
  if (engines.length === 0) return () => {};
  // Its own process group, so that the builds it started end with it.
  const child = spawn(process.execPath, [program, ...engines], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  child.on('error', () => {});
  child.unref();
  const group = child.pid === undefined ? undefined : -child.pid;
  if (group === undefined) return () => {};
  const unguard = guard(group);
  let ended = false;
  child.once('exit', () => {
    ended = true;
    unguard();
  });
  return () => {
    if (!ended) process.kill(group, 'SIGKILL');
  };
}
