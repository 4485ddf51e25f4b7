import type { Insight } from '@whetstone/contracts';

import { differenceBetween } from '../actions/compare-actions.js';
import type { Step } from '../read-steps.js';
import { quote, type RunReading } from '../run-reading.js';
import { inWords } from './action-words.js';
import { exampleOf } from './example-of.js';
import { failingPart } from './failing-part.js';
import { isBrokenByFormat } from './format-lesson.js';

const worthTelling = 3;

interface Loop {
  step: Step;
  turns: number[];
  /** The first deed after the loop that was another one and did not fail. */
  wayOut?: Step;
}

/** The same action with the same result, again and again; and, where there was one, the way out. */
export function loopLesson(run: RunReading): Insight | undefined {
  const loop = longestLoop(run.deeds.filter((step) => step.action.kind !== 'reply' && !isBrokenByFormat(step)));
  if (!loop) return undefined;
  const { step, turns, wayOut } = loop;
  const came =
    step.outcome.kind === 'error'
      ? quote(failingPart(step).error, 100)
      : step.outcome.kind === 'silent'
        ? 'nothing'
        : 'the same result';
  // What brought something every time, in a run that succeeded, was work or waiting.
  if (step.outcome.kind === 'ok' && run.outcome === 'success') return undefined;
  const broke = wayOut && run.outcome !== 'failure' ? wayOut : undefined;
  const how = broke ? (differenceBetween(step.action, broke.action) ?? inWords(broke)) : undefined;
  if (how === inWords(step)) return undefined;
  return {
    kind: broke ? 'recovery' : 'pitfall',
    title: broke ? `Leave the loop: ${how}` : `Sending the same \`${step.action.name}\` again does not help`,
    appliesWhen: `\`${step.action.name}\` brings ${came} twice`,
    content: `The same action was sent ${turns.length} times and brought ${came} every time. ${broke ? `What moved on: ${how}.` : (step.outcome.errorClass?.advice ?? 'After the second time, look at the state or change the approach.')}`,
    steps: [],
    example: exampleOf((broke ?? step).action),
    polarity: run.outcome === 'failure' ? 'failure' : 'success',
    evidence: turns.slice(0, 6),
    confidence: broke ? 0.55 : 0.4,
  };
}

function longestLoop(deeds: readonly Step[]): Loop | undefined {
  const loops = new Map<string, Loop & { lastAt: number }>();
  deeds.forEach((step, at) => {
    const key = `${step.action.kind} ${step.action.text} ${step.outcome.text.slice(0, 200)}`;
    const loop = loops.get(key);
    if (loop) {
      loop.turns.push(step.turn);
      loop.lastAt = at;
    } else loops.set(key, { step, turns: [step.turn], lastAt: at });
  });
  let longest: (Loop & { lastAt: number }) | undefined;
  for (const loop of loops.values()) if (!longest || loop.turns.length > longest.turns.length) longest = loop;
  if (!longest || longest.turns.length < worthTelling) return undefined;
  const { step, turns, lastAt } = longest;
  const wayOut = deeds.slice(lastAt + 1).find(({ outcome }) => outcome.kind !== 'error');
  return { step, turns, ...(wayOut ? { wayOut } : {}) };
}
