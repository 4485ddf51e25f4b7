import { clip } from './bounded-text.js';
import { codeParts } from './code-parts.js';
import { shownCall } from './describe-command.js';
import { browserWords } from './lessons/browser-strategy.js';
import { decisiveSteps } from './lessons/decisive-steps.js';
import type { Step } from './read-steps.js';
import { readStages } from './shell-command.js';
import { sqlFeatures } from './sql-statement.js';

const most = 16;
const usedChars = 60;
const lastTries = 3;

/**
 * What decided a run, in its order, repeats included. Of a success what it rests on, of a failure what it tried last;
 * of a run with tools what it changed, or, where it changed nothing, what it looked up.
 */
export function usesOf(deeds: readonly Step[], outcome: 'success' | 'failure' | 'unknown'): string[] {
  const acts = deeds.filter(({ action }) => action.kind !== 'reply');
  const clean = acts.filter((step) => step.outcome.kind !== 'error');
  const tools = clean.filter(({ action }) => action.kind === 'tool');
  if (tools.length > 0) return bounded(ofTools(tools));
  const decisive = outcome === 'success' ? decisiveSteps(acts)?.deeds : undefined;
  return bounded((decisive ?? distinct(clean.length > 0 ? clean : acts).slice(-lastTries)).flatMap(ofStep));
}

function ofTools(tools: readonly Step[]): string[] {
  const changes = tools
    .filter(({ role }) => role === 'change' || role === 'hand-over')
    .map(({ action }) => action.name);
  return changes.length > 0 ? changes : [...new Set(tools.map(({ action }) => action.name))];
}

function ofStep(step: Step): string[] {
  const { kind, name, text } = step.action;
  if (kind === 'shell') return readStages(text).map(shownCall);
  if (kind === 'sql') return [name.toUpperCase(), ...sqlFeatures(text)];
  if (kind === 'code') return [name, ...codeParts(text)];
  return [kind === 'browser' ? browserWords(step) : name];
}

function distinct(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [step.action.text, step])).values()];
}

function bounded(uses: readonly string[]): string[] {
  return uses.slice(-most).map((use) => clip(use, usedChars));
}
