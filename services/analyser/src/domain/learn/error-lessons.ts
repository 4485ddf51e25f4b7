import type { Insight } from '@whetstone/contracts';
import { formatAdvice, listed, objectsOf } from '@whetstone/reading';

import { errorClassOf } from './error-classes.js';
import { insightOf, nameOf, withoutLookedUp } from './lessons.js';
import type { RunReading } from './run.js';
import type { Step } from './steps.js';

/** Steps after an error that are searched for a way past it. */
const maxBetween = 12;

interface Recovery {
  failed: Step;
  worked: Step;
  tries: number;
  /** Lookups in between. */
  looked: readonly Step[];
}

/** An error and what got past it; if there are several, the last one of a known class. */
export function recoveryLesson(run: RunReading): Insight | undefined {
  const found = recoveriesIn(run.deeds);
  const best = found.findLast(({ failed }) => failed.outcome.errorClass) ?? found.at(-1);
  if (!best) return undefined;
  const { failed, worked, tries, looked } = best;
  const error = errorClassOf(failed.outcome.errorClass?.id);
  const first = [...new Set(looked.map(({ action }) => action.verb))].slice(-2);
  const worker = nameOf(worked) === nameOf(failed) ? `${nameOf(worked)} with other arguments` : nameOf(worked);
  const way = first.length > 0 ? `${listed(first)} and then ${worker}` : worker;
  return insightOf(run, {
    kind: 'recovery',
    title: `After ${nameOf(failed)} failed because ${error.because}: ${way}`,
    content: `After ${nameOf(failed)} failed${tries > 1 ? ` ${tries} times` : ''} because ${error.because}, ${way} worked. ${error.advice}`,
    scope: 'error',
    rule: 'recovery',
    confidence: run.outcome === 'success' ? 0.75 : 0.4,
    deeds: [withoutLookedUp(worked, [failed, ...looked], run.intent)],
    evidence: [failed, worked],
    errorClass: error.id,
  });
}

function recoveriesIn(deeds: readonly Step[]): Recovery[] {
  const steps = deeds.filter(({ role }) => role !== 'talk');
  const found: Recovery[] = [];
  for (const [at, failed] of steps.entries()) {
    if (failed.outcome.kind !== 'error') continue;
    const after = steps.slice(at + 1, at + 1 + maxBetween);
    const until = after.findIndex((step) => getsPast(failed, step));
    const worked = after[until];
    if (!worked) continue;
    const between = after.slice(0, until);
    found.push({
      failed,
      worked,
      tries: 1 + between.filter(({ outcome }) => outcome.kind === 'error').length,
      looked: between.filter(({ role, outcome }) => role === 'look' && outcome.kind === 'ok'),
    });
  }
  return found;
}

/** The same tool, or a command instead of a missing one, used differently and without an error. */
function getsPast(failed: Step, step: Step): boolean {
  // A step without any result proves nothing.
  const succeeded = step.outcome.kind === 'ok' || step.outcome.kind === 'silent';
  if (!succeeded || step.form === failed.form || step.action.kind !== failed.action.kind) return false;
  // Listing an archive is no way past packing it.
  if (failed.role === 'change' && step.role === 'look') return false;
  const programs = step.action.kind === 'command' ? objectsOf(step.action) : [];
  if (step.action.verb === failed.action.verb || programs.includes(failed.action.verb)) return true;
  const missing = failed.outcome.errorClass?.id;
  return step.action.kind === 'command' && (missing === 'missing-program' || missing === 'bad-option');
}

/**
 * The environment took code fences or back-ticks as part of the action, and the bare action worked or was never tried.
 */
export function formatLesson(run: RunReading): Insight | undefined {
  const wrapped = run.deeds.filter((step) => step.wrapped && step.outcome.kind === 'error' && isAboutForm(step));
  const [first] = wrapped;
  if (!first) return undefined;
  const bare = run.deeds.find((step) => step.turn > first.turn && !step.wrapped && step.outcome.kind !== 'error');
  if (!bare && wrapped.length < 2) return undefined;
  return insightOf(run, {
    kind: bare ? 'recovery' : 'pitfall',
    title: 'Send the bare action',
    content: formatAdvice,
    scope: 'format',
    rule: 'format',
    confidence: bare ? 0.7 : 0.5,
    evidence: [...wrapped.slice(0, 4), ...(bare ? [bare] : [])],
  });
}

function isAboutForm({ outcome: { error = '', errorClass } }: Step): boolean {
  return error.includes('`') || ['syntax', 'missing-program', 'unknown-action'].includes(errorClass?.id ?? '');
}

/** The error that a failed run ended with, described by its class: never in the environment's words. */
export function obstacleLesson(run: RunReading): Insight | undefined {
  const last = run.deeds.findLast(({ role, outcome }) => role !== 'talk' && outcome.kind !== 'unknown');
  if (last?.outcome.kind !== 'error') return undefined;
  const error = errorClassOf(last.outcome.errorClass?.id);
  return insightOf(run, {
    kind: 'pitfall',
    title: `A run ended when ${nameOf(last)} failed because ${error.because}`,
    content: `A run ended when ${nameOf(last)} failed because ${error.because}. ${error.advice}`,
    rule: 'obstacle',
    confidence: 0.5,
    deeds: [last],
    errorClass: error.id,
  });
}

/** The same action, repeated without effect. */
export function loopLesson(run: RunReading): Insight | undefined {
  const repeats = run.deeds.filter((step) => step.repeats && step.role !== 'talk');
  const last = repeats.at(-1);
  if (!last || repeats.length < 2) return undefined;
  return insightOf(run, {
    kind: 'pitfall',
    title: `Repeating ${nameOf(last)} changed nothing`,
    content: `Repeating ${nameOf(last)} with the same arguments changed nothing. After two attempts, try something else.`,
    rule: 'loop',
    confidence: 0.4,
    deeds: [last],
  });
}
