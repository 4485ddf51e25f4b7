import type { Insight, RunTrail } from '@whetstone/contracts';
import { redactText } from '@whetstone/platform/redaction';

import type { Dropped, DropReason } from '../../ports.js';
import { hostsIn, isAmong } from './hosts-in.js';
import { overridesInstructions } from './overriding-text.js';

export interface Guarded {
  insights: Insight[];
  dropped: Dropped;
}

/**
 * What every producer's insights go through before they are stored: another agent will read them as advice. They are expected to
 * be bounded.
 */
export function guardInsights(made: readonly Insight[], visited: ReadonlySet<string>): Guarded {
  const insights: Insight[] = [];
  const dropped: Dropped = {};
  for (const insight of made) {
    const reason = reasonAgainst(textOf(insight), visited);
    if (reason === undefined) insights.push(insight);
    else dropped[reason] = (dropped[reason] ?? 0) + 1;
  }
  return { insights, dropped };
}

/** The trail without uses that must not be shown: comparing runs tells an agent what others used. */
export function guardUses(trail: RunTrail, visited: ReadonlySet<string>): RunTrail {
  return { ...trail, uses: trail.uses.filter((use) => reasonAgainst(use, visited) === undefined) };
}

/** Why a text must not be shown to an agent, if it must not. */
function reasonAgainst(text: string, visited: ReadonlySet<string>): DropReason | undefined {
  if (overridesInstructions(text)) return 'overrides_instructions';
  if ([...hostsIn(text)].some((host) => !isAmong(host, visited))) return 'unvisited_host';
  return carriesSecret(text) ? 'secret' : undefined;
}

function textOf({ title, appliesWhen, notWhen, content, steps, example }: Insight): string {
  return [title, appliesWhen, notWhen, content, ...steps, example].filter((text) => text !== undefined).join('\n');
}

function carriesSecret(text: string): boolean {
  let found = false;
  redactText(text, () => {
    found = true;
  });
  return found;
}
