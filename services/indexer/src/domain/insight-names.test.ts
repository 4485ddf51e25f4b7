import type { Insight } from '@whetstone/contracts';

import { anInsight } from '../conformance/samples.js';
import { isInsightName, lessonIdOf, nameOfInsight, voteNameOf } from './insight-names.js';

const insight = anInsight({ actions: ['find -delete'], example: 'find . -delete' });
const run = { outcome: 'success', judged: false, changes: ['a', 'b'] } as const;
const intent = 'Delete all logs, please.';

function nameOf(given: Partial<Insight> = {}, more: { intent?: string; agentType?: string } = {}) {
  return nameOfInsight({
    insight: { ...insight, ...given },
    run: { ...run, changes: [...run.changes] },
    intent,
    ...more,
  });
}

describe('the name of an insight', () => {
  it('is its lesson, its variant and its task', () => {
    expect(isInsightName(nameOf())).toBe(true);
    expect(isInsightName('job_0123')).toBe(false);
    expect(voteNameOf(nameOf())).toBe(`${nameOf()}/1`);
  });

  it('does not depend on where in the run the lesson was learnt, nor on how the task is punctuated', () => {
    expect(nameOf({ evidence: [7] })).toBe(nameOf());
    expect(nameOf({}, { intent: '  delete ALL logs please' })).toBe(nameOf());
  });

  it.each<[string, string]>([
    ['the spelling of its example', nameOf({ example: 'find -delete .' })],
    ['its effects', nameOf({ effects: ['destroys'] })],
    ['its confidence', nameOf({ confidence: 0.1 })],
    ['the kind of agent', nameOf({}, { agentType: 'shell' })],
    ['the task', nameOf({}, { intent: 'Delete all logs larger than 5 MB' })],
  ])('differs by %s, and the lesson is the same', (_, other) => {
    expect(other).not.toBe(nameOf());
    expect(other.split('.')[0]).toBe(nameOf().split('.')[0]);
  });

  it('tells what works from what fails, and other actions apart', () => {
    const lessons = [
      nameOf(),
      nameOf({ kind: 'pitfall' }),
      nameOf({ actions: ['rm'] }),
      nameOf({ polarity: 'failure' }),
    ];
    expect(new Set(lessons.map((name) => name.split('.')[0])).size).toBe(4);
  });

  it('tells what a person writes from what was learnt, by its words', () => {
    const lessons = [nameOf(), nameOf({ rule: 'person' }), nameOf({ rule: 'person', content: 'Other words.' })];
    expect(new Set(lessons.map(lessonIdOf)).size).toBe(3);
    expect(nameOf({ rule: 'person', actions: [] }).split('.')[0]).toBe(lessonIdOf(nameOf({ rule: 'person' })));
  });

  it('of a lesson without actions depends on its error or its task, and on the words of a model', () => {
    const words = (given: Partial<Insight>, task = intent) =>
      nameOf({ actions: [], ...given, example: undefined as never }, { intent: task }).split('.')[0];
    expect(words({}, 'a')).not.toBe(words({}, 'b'));
    expect(words({ errorClass: 'denied' }, 'a')).toBe(words({ errorClass: 'denied' }, 'b'));
    expect(words({ rule: 'model', content: 'x' }, 'a')).toBe(words({ rule: 'model', content: 'x' }, 'b'));
    expect(words({ rule: 'model', content: 'x' })).not.toBe(words({ rule: 'model', content: 'y' }));
  });
});
