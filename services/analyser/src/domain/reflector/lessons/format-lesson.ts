import type { Insight } from '@whetstone/contracts';

import type { Action, Wrapping } from '../actions/action.js';
import type { Step } from '../read-steps.js';
import type { RunReading } from '../run-reading.js';
import { exampleOf } from './example-of.js';

const complaints =
  /```|unexpected EOF|looking for matching|command not found|syntax error|pars|invalid|format|not recogni[sz]ed|unexpected token/i;
const called: Record<Wrapping, string> = {
  fence: 'a code fence (```)',
  backticks: 'back-ticks',
  prose: 'explanations',
};

const bareAction = 'Send the bare action, without';
const asItStands = 'the environment executes the decision as it stands';

/** Finds all lessons of this kind by their words. */
export const formatQuestion = `${bareAction} ${Object.values(called).join(', ')}: ${asItStands}`;

export function isAboutFormat({ title }: Pick<Insight, 'title'>): boolean {
  return title.startsWith(bareAction);
}

/** The environment took the wrapping for part of the action. Told only where the bare action fared better, or never came. */
export function formatLesson(run: RunReading): Insight | undefined {
  const wrapped = run.deeds.filter(isBrokenByFormat);
  const first = wrapped[0];
  if (!first?.action.wrapping) return undefined;
  const bare = run.deeds.find(
    (step) =>
      step.turn > first.turn &&
      step.action.kind === first.action.kind &&
      step.action.wrapping === undefined &&
      step.outcome.kind !== 'error',
  );
  if (!bare && wrapped.length < 2) return undefined;
  const dress = called[first.action.wrapping];
  return {
    kind: bare ? 'recovery' : 'pitfall',
    title: `${bareAction} ${dress}`,
    appliesWhen: asItStands,
    content: bare
      ? `The action with ${dress} was rejected; the bare action went through. Send the action and nothing else.`
      : `Actions with ${dress} were rejected again and again, and the run failed. Send the action and nothing else.`,
    steps: [],
    ...(bare ? { example: exampleOf(bare.action) } : dressedExample(first.action)),
    polarity: run.outcome === 'failure' ? 'failure' : 'success',
    evidence: [...wrapped.slice(0, 4).map(({ turn }) => turn), ...(bare ? [bare.turn] : [])],
    confidence: bare ? 0.7 : 0.5,
  };
}

/** What was rejected as it was sent, the dress included; explanations are too many words to show. */
function dressedExample(action: Action): { example?: string } {
  const dress = { fence: '```\n', backticks: '`', prose: undefined }[action.wrapping ?? 'prose'];
  return dress === undefined ? {} : { example: `${dress}${exampleOf(action)}${[...dress].reverse().join('')}` };
}

/** The action was dressed up and the complaint is about that. */
export function isBrokenByFormat({ action, outcome }: Step): boolean {
  return action.wrapping !== undefined && outcome.kind === 'error' && complaints.test(outcome.error ?? '');
}
