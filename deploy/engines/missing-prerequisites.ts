import { chartToolsFetchables } from '../chart/chart-tools.js';
import { clusterEngines, type EngineName } from './engine-names.js';
import { isFetched } from './fetch-once.js';
import { kafkaJars } from './kafka-jars.js';
import { findGo, findJava, findMaven, findPython, missingMessage } from './prerequisites.js';

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
