import type { Insight, Interaction } from '@whetstone/contracts';

import type { Reflection } from '../domain/ports.js';

/** One insight, titled with the query; none for an interaction without turns. */
export function reflectionOf({ query, turns }: Interaction): Reflection {
  return {
    intent: query,
    run: { outcome: 'success', judged: false, uses: [], changes: [], steps: [] },
    insights: turns.length === 0 ? [] : [anInsight(query)],
    deeds: [],
    ...(turns.length === 0 ? { nothingBecause: 'the turns contain no action' } : {}),
    producer: { name: 'test', version: '1' },
  };
}

function anInsight(title: string): Insight {
  return {
    kind: 'strategy',
    title,
    content: title,
    steps: [],
    polarity: 'success',
    evidence: [1],
    confidence: 0.5,
    scope: 'task',
    rule: 'deeds',
    actions: [],
    effects: [],
  };
}
