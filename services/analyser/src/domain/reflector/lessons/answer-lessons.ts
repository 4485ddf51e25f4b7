import type { Insight } from '@whetstone/contracts';

import { clip } from '../bounded-text.js';
import type { Step } from '../read-steps.js';
import { quote, type RunReading, tasksLike } from '../run-reading.js';
import { exampleChars, exampleOf } from './example-of.js';

/** A way to success ends with the answer that it led to; where nothing else was done, the answer is the way. */
export function withAnswer(strategy: Insight | undefined, run: RunReading): Insight | undefined {
  const { answer } = run;
  if (!answer) return strategy;
  if (!strategy) return answeredAtOnce(run, answer);
  const example =
    strategy.example === undefined ? [] : [clip(strategy.example, exampleChars - answer.action.text.length)];
  return {
    ...strategy,
    example: [...example, answer.action.text].join('\n'),
    evidence: [...new Set([...strategy.evidence, answer.turn])],
  };
}

function answeredAtOnce(run: RunReading, { turn, action }: Step): Insight {
  return {
    kind: 'strategy',
    title: 'Answer at once',
    ...tasksLike(run),
    content: 'The answer was right, and nothing had to be looked up for it.',
    steps: [],
    example: exampleOf(action),
    polarity: 'success',
    evidence: [turn],
    confidence: run.judged ? 0.4 : 0.7,
  };
}

/** Of a run that failed the answer is what is known to be wrong. */
export function wrongAnswerLesson(run: RunReading): Insight | undefined {
  const { answer } = run;
  if (!answer) return undefined;
  return {
    kind: 'pitfall',
    title: clip(`Not the answer: ${quote(answer.action.text)}`, 160),
    ...tasksLike(run),
    content:
      'This was handed in as the answer, and the run failed. Look further before giving it again: another source, the exact thing that is asked for, its form.',
    steps: [],
    example: exampleOf(answer.action),
    polarity: 'failure',
    evidence: [answer.turn],
    confidence: 0.5,
  };
}
