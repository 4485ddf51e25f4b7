import { clusterEngines, type EngineName } from './engine-names.js';
import { isFetched } from './fetch-once.js';
import { kafkaJars } from './kafka/kafka-jars.js';
import { findJava, findMaven, findPython, missingMessage } from './prerequisites.js';

/**
 * What this machine lacks to fetch and run the engines, as one message for people; undefined when it lacks nothing. Maven is
 * only needed until Kafka has been fetched.
 */
export async function missingPrerequisites(
  engines: readonly EngineName[] = clusterEngines,
): Promise<string | undefined> {
  const forKafka = engines.includes('kafka');
  const forPython = engines.some((engine) => engine !== 'kafka');
  const [java, python, fetched] = await Promise.all([
    forKafka ? findJava() : 'not needed',
    forPython ? findPython() : 'not needed',
    forKafka ? kafkaJars().then((jars) => isFetched(jars)) : true,
  ]);
  return missingMessage({
    java: java !== undefined,
    maven: fetched || (await findMaven()),
    python: python !== undefined,
  });
}
