import type { AnsweredInsight } from '../adapters/model-producer/answer-schema.js';

/** An insight as a model would write it. */
export function answeredInsight(change: Partial<AnsweredInsight> = {}): AnsweredInsight {
  return {
    kind: 'strategy',
    title: 'Look the order up before refunding it',
    applies_when: 'a refund is asked for',
    not_when: null,
    content: 'Read the order first: its state decides whether a refund is possible.',
    steps: [],
    example: 'refund(order=17)',
    polarity: 'success',
    evidence: [1],
    confidence: 'high',
    ...change,
  };
}

export function answerOf(...insights: AnsweredInsight[]): string {
  return JSON.stringify({ insights });
}
