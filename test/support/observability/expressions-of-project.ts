import { expressionsOfDashboard, readDashboards } from './dashboards.js';
import { expressionsOfRules, readRules, recordedNames } from './rule-files.js';
import { expressionsOfPage, readRunbookPages } from './runbook-pages.js';
import type { KnownNames, Placed } from './unknown-names.js';

/** Everything that the project asks a Prometheus, and what its own rules record there. */
export async function expressionsOfProject(): Promise<{ expressions: Placed[]; recorded: KnownNames }> {
  const rules = await readRules();
  const expressions = [
    ...expressionsOfRules(rules),
    ...(await readDashboards()).flatMap(expressionsOfDashboard),
    ...(await readRunbookPages()).flatMap(expressionsOfPage),
  ];
  return { expressions, recorded: recordedNames(rules) };
}
