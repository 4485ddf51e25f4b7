import { codeParts } from './actions/code-parts.js';
import { sqlFeatures } from './actions/sql-statement.js';
import { clip } from './bounded-text.js';
import { browserWords } from './lessons/browser-strategy.js';
import { decisiveSteps } from './lessons/decisive-steps.js';
import { orderWords } from './lessons/order-strategy.js';
import type { Step } from './read-steps.js';
import type { RunReading } from './run-reading.js';
import { shownCall } from './shell/describe-command.js';
import { readStages } from './shell/shell-command.js';

const most = 16;
const usedChars = 60;
const lastTries = 3;

/**
 * What decided a run, in its order, repeats included. Of a success with commands what it rests on, of a failure what it
 * tried last; of a run with tools what went through, each look-up once and each change as often as it was made.
 */
export function usesOf({ deeds, outcome, names }: Pick<RunReading, 'deeds' | 'outcome' | 'names'>): string[] {
  const usesIn = (step: Step) => ofStep(step, names);
  const acts = deeds.filter(({ action }) => action.kind !== 'reply');
  const clean = acts.filter((step) => step.outcome.kind !== 'error');
  const tools = clean.filter(({ action }) => action.kind === 'tool');
  if (tools.length > 0) return bounded(ofTools(tools));
  const decisive = outcome === 'success' ? decisiveSteps(acts)?.deeds : undefined;
  if (decisive) return bounded(decisive.flatMap(usesIn));
  return bounded(
    merged(
      distinct(clean.length > 0 ? clean : acts)
        .slice(-lastTries)
        .map(usesIn),
    ),
  );
}

function ofTools(tools: readonly Step[]): string[] {
  const seen = new Set<string>();
  return tools
    .filter(({ action: { name }, role }) => {
      const counts = role === 'change' || !seen.has(name);
      seen.add(name);
      return counts;
    })
    .map(({ action }) => action.name);
}

/** Several tries at one thing: what any of them used, as often as the one that used it most. */
function merged(tries: readonly string[][]): string[] {
  const all: string[] = [];
  for (const uses of tries) {
    const left = [...all];
    for (const use of uses) {
      const at = left.indexOf(use);
      if (at < 0) all.push(use);
      else left.splice(at, 1);
    }
  }
  return all;
}

function ofStep(step: Step, names: ReadonlySet<string>): string[] {
  const { kind, name, text } = step.action;
  if (kind === 'shell') return readStages(text).map(shownCall);
  if (kind === 'sql') return [name.toUpperCase(), ...sqlFeatures(text)];
  if (kind === 'code') return [name, ...codeParts(text)];
  if (kind === 'order') return [orderWords(step)];
  return [kind === 'browser' ? browserWords(step, names) : name];
}

function distinct(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [step.action.text, step])).values()];
}

function bounded(uses: readonly string[]): string[] {
  return uses.slice(-most).map((use) => clip(use, usedChars));
}
