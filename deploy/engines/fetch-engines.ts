import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { chartToolsFetchables } from '../chart/chart-tools.js';
import { type Fetchable, type FetchOptions, fetchOnce, isFetched } from './fetch-once.js';
import { kafkaJars } from './kafka-jars.js';
import { findGo, findJava, findMaven, findPython, missingMessage } from './prerequisites.js';
import { guard } from './processes.js';
import { milvusLiteEnvironment } from './start-milvus.js';
import { modelServerEnvironment } from './start-model-server.js';

/** What is fetched for development and tests: servers to start, and the tools that the chart is checked with. */
export type EngineName = 'kafka' | 'milvus' | 'model server' | 'chart tools';

/** Without which there is no cluster. */
export const clusterEngines: readonly EngineName[] = ['kafka', 'milvus'];

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

/**
 * What this machine lacks to fetch and run the engines, as one message for people; undefined when it lacks nothing. Maven is
 * only needed until Kafka has been fetched, Go and Python until the chart's tools have.
 */
export async function missingPrerequisites(
  engines: readonly EngineName[] = clusterEngines,
): Promise<string | undefined> {
  const forKafka = engines.includes('kafka');
  const forChart = engines.includes('chart tools') && !(await areChartToolsFetched());
  const forPython = forChart || engines.includes('milvus') || engines.includes('model server');
  const [java, python, go, fetched] = await Promise.all([
    forKafka ? findJava() : 'not needed',
    forPython ? findPython() : 'not needed',
    forChart ? findGo() : 'not needed',
    forKafka ? kafkaJars().then((jars) => isFetched(jars)) : true,
  ]);
  return missingMessage({
    java: java !== undefined,
    maven: fetched || (await findMaven()),
    python: python !== undefined,
    go: go !== undefined,
  });
}

async function areChartToolsFetched(): Promise<boolean> {
  const fetched = await Promise.all((await chartToolsFetchables()).map((one) => isFetched(one)));
  return !fetched.includes(false);
}

const program = fileURLToPath(new URL('fetch-ahead-main.js', import.meta.url));

/**
 * Begins to fetch engines in a process that gives way to every other one, and returns what ends that. `fetchEngines` still has
 * to be called by whoever needs one: it waits for this process where it is at it, and does what this one could not.
 */
export function fetchAhead(engines: readonly EngineName[]): () => void {
  if (engines.length === 0) return () => {};
  // A group of its own, so that it ends together with the builds that it started.
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
