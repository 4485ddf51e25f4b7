import type { Insight } from '@whetstone/contracts';

import { clip } from '../bounded-text.js';
import type { Step } from '../read-steps.js';
import { type RunReading, tasksLike } from '../run-reading.js';
import { agreedChanges } from '../talk/consent.js';
import { exampleOf } from './example-of.js';
import { readingWords } from './reading-words.js';
import { titleChars } from './tool-words.js';
import { writingWords } from './writing-words.js';

const shownCalls = 10;

/** The order of tools that led to a success: what was looked up, what was agreed, what was done, or that nothing was. */
export function toolStrategy(run: RunReading): Insight | undefined {
  const calls = run.deeds.filter(({ action }) => action.kind === 'tool');
  const clean = calls.filter(({ outcome }) => outcome.kind !== 'error');
  const last = clean.at(-1);
  if (!last) return undefined;

  const writes = clean.filter(isChange);
  const talks = run.deeds.some(({ action }) => action.kind === 'reply');
  const { title, content, ...words } = writes.length > 0 ? writingWords(run, clean, writes) : readingWords(run, clean);
  return {
    kind: 'strategy',
    title: clip(title, titleChars),
    ...tasksLike(run),
    content,
    steps: stepsOf(run, clean),
    ...exampleFor(talks ? writes : clean, talks ? undefined : last),
    polarity: 'success',
    evidence: clean.slice(-8).map(({ turn }) => turn),
    confidence: words.isVague ? 0.25 : run.judged ? 0.45 : 0.7,
  };
}

/** The calls themselves, of an agent that talks to a person the writes; or the look-up that answered. */
function exampleFor(calls: readonly Step[], last: Step | undefined): { example?: string } {
  if (calls.length > 0) return { example: exampleOf(...lastOfEach(calls).map(({ action }) => action)) };
  const reusable = last?.role === 'look' && !/calc|comput/i.test(last.action.name);
  return reusable ? { example: exampleOf(last.action) } : {};
}

function isChange({ role }: Step): boolean {
  return role === 'change';
}

const consentStep = "Say what will be done and get the user's yes";

/** The calls in order up to the last write, with the user's yes before the first write that it covered. */
function stepsOf(run: RunReading, calls: readonly Step[]): string[] {
  const clean = new Set(calls);
  const agreed = agreedChanges(run.deeds);
  const lines: string[] = [];
  let covered = false;
  const lastWrite = run.deeds.findLastIndex((step) => clean.has(step) && isChange(step));
  for (const step of lastWrite < 0 ? run.deeds : run.deeds.slice(0, lastWrite + 1)) {
    if (lines.length > shownCalls) break;
    if (step.action.kind === 'reply') covered = false;
    if (!clean.has(step)) continue;
    if (agreed.has(step) && !covered) lines.push(consentStep);
    covered ||= agreed.has(step);
    const text = `\`${step.action.name}\``;
    if (lines.at(-1) !== text) lines.push(text);
  }
  return lines.length > 1 ? lines : [];
}

/** The last call of each tool, of the last three. */
function lastOfEach(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [step.action.name, step])).values()].slice(-3);
}
