import { isFetched } from './fetch-once.js';
import { kafkaJars } from './kafka/kafka-jars.js';
import { findJava, findMaven, findPython, missingMessage } from './prerequisites.js';

/**
 * What this machine lacks to fetch and run the engines, as one message for people; undefined when it lacks nothing. Maven is
 * only needed until Kafka has been fetched.
 */
export async function missingPrerequisites(): Promise<string | undefined> {
  const [java, python, fetched] = await Promise.all([
    findJava(),
    findPython(),
    kafkaJars().then((jars) => isFetched(jars)),
  ]);
  return missingMessage({
    java: java !== undefined,
    maven: fetched || (await findMaven()),
    python: python !== undefined,
  });
}
