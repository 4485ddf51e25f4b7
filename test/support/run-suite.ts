import { fetchEngines, missingPrerequisites } from '@whetstone/deploy';

import { type JestRun, runJest } from './run-jest.js';
import type { Suite, Surroundings } from './suites.js';

export interface SuiteResult {
  outcome: 'passed' | 'FAILED' | 'LEFT OUT';
  /** For people: how long it took, or why it was left out. */
  remark: string;
}

/** Runs a suite in its surroundings, where this machine has or can fetch what it needs. */
export async function runSuite(suite: Suite, settings: Pick<JestRun, 'env' | 'args' | 'prints'>): Promise<SuiteResult> {
  const missing = await missingFor(suite);
  if (missing !== undefined) return { outcome: 'LEFT OUT', remark: missing };
  const begun = Date.now();
  const passed = await runTests(suite, settings);
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  return { outcome: passed ? 'passed' : 'FAILED', remark: `${seconds} s` };
}

async function runTests(
  { tests, atOnce = 1, surroundings: make }: Suite,
  { env, ...settings }: Pick<JestRun, 'env' | 'args' | 'prints'>,
): Promise<boolean> {
  let passed = true;
  let surroundings: Surroundings | undefined;
  try {
    surroundings = await make?.();
    for (const files of tests) {
      const ok = await runJest({ ...files, ...settings, atOnce, env: { ...env, ...surroundings?.env } });
      passed &&= ok;
    }
  } catch (error) {
    console.error(error);
    passed = false;
  }
  // What does not end well after its tests fails them.
  await surroundings?.stop().catch((error: unknown) => {
    console.error(error);
    passed = false;
  });
  return passed;
}

/** Why a suite cannot run here; fetches the engines that are not there yet. */
async function missingFor({ engines }: Suite): Promise<string | undefined> {
  if (engines.length === 0) return undefined;
  const missing = await missingPrerequisites(engines);
  if (missing !== undefined) return missing;
  return fetchEngines({ say: console.log }, engines).then(
    () => undefined,
    (error: Error) => error.message,
  );
}
