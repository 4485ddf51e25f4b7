import { parseArgs } from 'node:util';

import { type EngineName, fetchEngines, missingPrerequisites } from '@whetstone/dev';

import { runJest } from './run-jest.js';
import { faultSuites, fullFaults, type Suite, type Surroundings, testSuites } from './suites.js';

type Outcome = 'passed' | 'FAILED';

/**
 * Runs what can run on this machine, one suite after another, and says loudly what was left out.
 * WHETSTONE_TEST_REQUIRE_ALL=1 makes leaving anything out a failure. `--faults` runs the faults, in full; `--suite NAME` one
 * suite; everything else is for jest.
 */
async function main(): Promise<void> {
  const { faults, name, args } = readArguments(process.argv.slice(2));
  const suites = (faults ? faultSuites : testSuites).filter((suite) => name === undefined || suite.name === name);
  if (suites.length === 0) throw new Error(`No suite is called ${name}`);
  const report: string[] = [];
  let complete = true;
  let passed = true;
  for (const suite of suites) {
    const missing = await missingFor(suite.engines);
    if (missing !== undefined) {
      complete = false;
      report.push(`${suite.name}: LEFT OUT. ${missing}`);
      continue;
    }
    const begun = Date.now();
    const outcome = await run(suite, faults ? fullFaults : {}, args);
    passed &&= outcome === 'passed';
    report.push(`${suite.name}: ${outcome} (${((Date.now() - begun) / 1000).toFixed(0)} s)`);
  }
  console.log(`\n${report.join('\n')}`);
  console.log(complete ? 'Nothing was left out.' : 'NOT EVERYTHING WAS TESTED.');
  const enough = complete || process.env['WHETSTONE_TEST_REQUIRE_ALL'] !== '1';
  process.exitCode = passed && enough ? 0 : 1;
}

function readArguments(argv: string[]): { faults: boolean; name: string | undefined; args: string[] } {
  const options = { faults: { type: 'boolean' }, suite: { type: 'string' } } as const;
  const { tokens, values } = parseArgs({ args: argv, options, strict: false, tokens: true });
  const ours = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && Object.hasOwn(options, token.name)
        ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
        : [],
    ),
  );
  const { faults, suite } = values;
  return {
    faults: faults === true,
    name: typeof suite === 'string' ? suite : undefined,
    args: argv.filter((_, index) => !ours.has(index)),
  };
}

async function run(suite: Suite, env: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  const { tests, beside, atOnce = 1 } = suite;
  let passed = true;
  let surroundings: Surroundings | undefined;
  try {
    surroundings = await suite.surroundings?.();
    const meanwhile = beside && runJest({ ...beside, atOnce, env, args, prints: 'afterwards' });
    for (const files of tests) {
      const ok = await runJest({ ...files, atOnce, env: { ...env, ...surroundings?.env }, args });
      passed &&= ok;
    }
    passed &&= (await meanwhile) ?? true;
  } catch (error) {
    console.error(error);
    passed = false;
  }
  // What does not end well after its tests fails them.
  await surroundings?.stop().catch((error: unknown) => {
    console.error(error);
    passed = false;
  });
  return passed ? 'passed' : 'FAILED';
}

/** Why a suite that needs these engines cannot run here; fetches those that are not there yet. */
async function missingFor(engines: readonly EngineName[]): Promise<string | undefined> {
  if (engines.length === 0) return undefined;
  const missing = await missingPrerequisites(engines);
  if (missing !== undefined) return missing;
  return fetchEngines({ say: console.log }, engines).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

await main();
