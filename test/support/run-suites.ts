import { parseArgs } from 'node:util';

import { fetchAhead, fetchEngines, missingPrerequisites } from '@whetstone/deploy';
import { inParallel } from './eventually.js';
import { makeRunFolder, removeRunFolder } from './run-folder.js';
import { type JestRun, runJest } from './run-jest.js';
import { faultSuites, fullFaults, type Suite, type Surroundings, testSuites } from './suites.js';

export interface SuiteResult {
  outcome: 'passed' | 'FAILED' | 'LEFT OUT';
  /** How long it took, or why it was left out. */
  remark: string;
}

/** Runs a suite if this machine has or can fetch what it needs. */
export async function runSuite(suite: Suite, settings: Pick<JestRun, 'env' | 'args' | 'prints'>): Promise<SuiteResult> {
  const missing = await missingFor(suite);
  if (missing !== undefined) return { outcome: 'LEFT OUT', remark: missing };
  const begun = Date.now();
  const passed = await runTests(suite, settings);
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  return { outcome: passed ? 'passed' : 'FAILED', remark: `${seconds} s` };
}

async function runTests(
  { tests, surroundings: make }: Suite,
  { env, ...settings }: Pick<JestRun, 'env' | 'args' | 'prints'>,
): Promise<boolean> {
  let passed = true;
  let surroundings: Surroundings | undefined;
  try {
    surroundings = await make?.();
    for (const files of tests) {
      const ok = await runJest({ ...files, ...settings, env: { ...env, ...surroundings?.env } });
      passed &&= ok;
    }
  } catch (error) {
    console.error(error);
    passed = false;
  }
  // A suite whose surroundings do not stop cleanly fails.
  await surroundings?.stop().catch((error: unknown) => {
    console.error(error);
    passed = false;
  });
  return passed;
}

/** Why a suite cannot run here. Fetches missing engines. */
async function missingFor({ engines, missing: itsOwn }: Suite): Promise<string | undefined> {
  if (engines.length === 0) return itsOwn?.();
  const missing = await missingPrerequisites(engines);
  if (missing !== undefined) return missing;
  return fetchEngines({ say: console.log }, engines).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/**
 * Runs the suites that can run on this machine and reports those left out; with WHETSTONE_TEST_REQUIRE_ALL=1 those are failures.
 * Suites spend much time waiting, so two run at a time, but for those that run alone: one prints as it runs, the other when it
 * has ended. `--faults` runs the faults at full length, one suite at a time. `--suite NAME` selects suites. All other arguments
 * go to jest.
 */
async function main(): Promise<void> {
  const { faults, names, args } = readArguments(process.argv.slice(2));
  const all = faults ? faultSuites : testSuites;
  const unknown = names.find((name) => !all.some((suite) => suite.name === name));
  if (unknown !== undefined) throw new Error(`There is no suite ${unknown}`);
  const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name));
  const [together, alone] = [chosen.filter(({ alone }) => !alone), chosen.filter(({ alone }) => alone)];
  const suites = [...together, ...alone];
  const folder = await makeRunFolder();
  process.env['TMPDIR'] = folder;
  const stopFetching = fetchAhead([...new Set(suites.flatMap(({ engines }) => engines))]);
  const env = faults ? fullFaults : {};
  const results = [...(await runAll(together, faults ? 1 : 2, env, args)), ...(await runAll(alone, 1, env, args))];
  stopFetching();
  await removeRunFolder(folder);
  const complete = results.every(({ outcome }) => outcome !== 'LEFT OUT');
  const passed = results.every(({ outcome }) => outcome !== 'FAILED');
  console.log(`\n${results.map((result, index) => `${suites[index]?.name}: ${lineOf(result)}`).join('\n')}`);
  console.log(complete ? 'Nothing was left out.' : 'NOT EVERYTHING WAS TESTED.');
  const enough = complete || process.env['WHETSTONE_TEST_REQUIRE_ALL'] !== '1';
  process.exitCode = passed && enough ? 0 : 1;
}

function runAll(
  suites: readonly Suite[],
  atOnce: number,
  env: Record<string, string>,
  args: readonly string[],
): Promise<SuiteResult[]> {
  let printing = false;
  return inParallel(suites, atOnce, async (suite) => {
    const prints = printing ? 'afterwards' : 'meanwhile';
    if (prints === 'meanwhile') printing = true;
    console.log(`${suite.name}: started${prints === 'afterwards' ? '; its output follows when it ends' : ''}`);
    const result = await runSuite(suite, { env, args, prints });
    if (prints === 'meanwhile') printing = false;
    console.log(`${suite.name}: ${lineOf(result)}`);
    return result;
  });
}

function lineOf({ outcome, remark }: SuiteResult): string {
  return outcome === 'LEFT OUT' ? `${outcome}. ${remark}` : `${outcome} (${remark})`;
}

function readArguments(argv: string[]): { faults: boolean; names: unknown[]; args: string[] } {
  const options = { faults: { type: 'boolean' }, suite: { type: 'string', multiple: true } } as const;
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
    names: suite ?? [],
    args: argv.filter((_, index) => !ours.has(index)),
  };
}

await main();
