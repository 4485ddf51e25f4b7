import { fetchEngines, missingPrerequisites } from '@whetstone/dev';

import { runJest } from './run-jest.js';
import { faultSuites, fullFaults, type Suite, type Surroundings, testSuites } from './suites.js';

type Outcome = 'passed' | 'FAILED' | { leftOut: string };

/**
 * Runs what can run on this machine, one suite after another, and says loudly what was left out.
 * WHETSTONE_TEST_REQUIRE_ALL=1 makes leaving anything out a failure. `--faults` runs the faults, in full.
 */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const faults = args[0] === '--faults';
  const suites = faults ? faultSuites : testSuites;
  const env: Record<string, string> = faults ? fullFaults : {};
  const missing = suites.some(({ engines }) => engines) ? await missingForEngines() : undefined;
  const report: string[] = [];
  let complete = true;
  let passed = true;
  for (const suite of suites) {
    const begun = Date.now();
    const outcome = suite.engines && missing ? { leftOut: missing } : await run(suite, env, args.slice(faults ? 1 : 0));
    const seconds = ((Date.now() - begun) / 1000).toFixed(0);
    if (typeof outcome === 'object') {
      complete = false;
      report.push(`${suite.name}: LEFT OUT. ${outcome.leftOut}`);
    } else {
      passed &&= outcome === 'passed';
      report.push(`${suite.name}: ${outcome} (${seconds} s)`);
    }
  }
  console.log(`\n${report.join('\n')}`);
  console.log(complete ? 'Nothing was left out.' : 'NOT EVERYTHING WAS TESTED.');
  const enough = complete || process.env['WHETSTONE_TEST_REQUIRE_ALL'] !== '1';
  process.exitCode = passed && enough ? 0 : 1;
}

async function run(suite: Suite, env: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  const { project, files } = suite;
  let surroundings: Surroundings | undefined;
  try {
    surroundings = await suite.surroundings?.();
    const passed = await runJest({ project, files, env: { ...env, ...surroundings?.env }, args });
    return passed ? 'passed' : 'FAILED';
  } catch (error) {
    console.error(error);
    return 'FAILED';
  } finally {
    await surroundings?.stop();
  }
}

/** Why suites that need real Kafka and Milvus cannot run here; fetches the two where they are not there yet. */
async function missingForEngines(): Promise<string | undefined> {
  const missing = await missingPrerequisites();
  if (missing !== undefined) return missing;
  return fetchEngines({ say: console.log }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

await main();
