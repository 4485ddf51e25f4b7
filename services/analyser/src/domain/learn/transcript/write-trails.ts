import type { RunTrail, TrailStep } from '@whetstone/contracts';
import { withoutControlTokens } from './control-tokens.js';
import { estimateTokens } from './estimate-tokens.js';

/** What several runs did, as a text for a model that reads only so much: where it does not fit, steps in the middle go first. */
export function writeTrails(runs: readonly RunTrail[], budgetTokens: number): string {
  const room = Math.floor(budgetTokens / Math.max(1, runs.length));
  return runs.map((run, at) => writeTrail(run, `RUN ${at + 1}, ended in ${run.outcome}`, room)).join('\n\n');
}

function writeTrail({ steps }: RunTrail, head: string, room: number): string {
  const lines = steps.map(writeStep);
  for (let left = 0; ; left++) {
    const keptFirst = Math.ceil((lines.length - left) / 2);
    const gap = left === 0 ? [] : [`(${left} ${left === 1 ? 'step' : 'steps'} left out)`];
    const text = [head, ...lines.slice(0, keptFirst), ...gap, ...lines.slice(keptFirst + left)].join('\n');
    if (left === lines.length || estimateTokens(text) <= room) return text;
  }
}

function writeStep({ action, outcome, note }: TrailStep): string {
  const got = note === undefined ? [] : [`GOT${outcome === 'error' ? ' an error' : ''}: ${note}`];
  return withoutControlTokens([`DID: ${action}`, ...got].join('\n'));
}
