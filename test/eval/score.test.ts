import type { Answerer, Recommendation } from './answerer.js';
import { divideIntoDomains } from './domain.js';
import type { Interaction } from './interaction.js';
import { scoreAnswerer } from './score.js';

function attempt(domain: string, task: string, winner?: string, family?: string): Interaction {
  const labels = { domain, task, ...(winner ? { winner } : {}), ...(family ? { family } : {}) };
  const turns = [{ turn: 1, inputs: task, decision: winner ?? 'gave up' }];
  return { labels, upload: { query: `do ${task}`, turns, success: winner !== undefined || family !== undefined } };
}

/** A domain with winners, whose two tasks failed twice and once, and a domain with families. */
const interactions = [
  attempt('shell', 'pack', 'tar -czf a.tgz a'),
  attempt('shell', 'pack'),
  attempt('shell', 'pack'),
  attempt('shell', 'count', 'find . | wc -l'),
  attempt('shell', 'count'),
  attempt('desk', 'lost', undefined, 'block'),
  attempt('desk', 'stolen', undefined, 'block'),
];

/** Answers as told and remembers what each collection was given. */
function createScripted(recommend: (collection: string, text: string) => Recommendation[]) {
  const stored = new Map<string, readonly Interaction[]>();
  const answerer: Answerer = {
    name: 'scripted',
    knows: (collection) => stored.has(collection),
    learn: async (collection, given) => void stored.set(collection, given),
    ask: async (collection, { text }) => {
      const recommendations = recommend(collection, text);
      return { recommendations, added: recommendations.map(({ text: said }) => said).join('\n') };
    },
  };
  return { answerer, stored };
}

async function score(recommend: (collection: string, text: string) => Recommendation[]) {
  const { answerer, stored } = createScripted(recommend);
  const domains = divideIntoDomains(interactions, 2, 1);
  const { measures } = await scoreAnswerer(answerer, domains, { questions: 100, seed: 1, say: () => {} });
  const value = (metric: string, data: string) =>
    measures.find((measure) => measure.metric === metric && measure.data === data);
  return { value, stored };
}

const saying = (...texts: string[]): Recommendation[] => texts.map((text) => ({ text, example: text, sources: [] }));

describe('scoreAnswerer', () => {
  it('counts a rescue for each attempt that failed, among the first three recommendations only', async () => {
    const first = await score(() => saying('Use tar -czf a.tgz a'));
    expect(first.value('rescue', 'shell')).toMatchObject({ value: 2 / 3, questions: 3 });
    const fourth = await score(() => saying('a', 'b', 'c', 'tar -czf a.tgz a'));
    expect(fourth.value('rescue', 'shell')).toMatchObject({ value: 0, questions: 3 });
  });

  it('counts winners of other tasks against the answer, wherever they stand', async () => {
    const { value } = await score(() => saying('a', 'b', 'c', 'tar -czf a.tgz a', 'find . | wc -l'));
    expect(value('foreign', 'shell')).toMatchObject({ value: 1, questions: 3 });
  });

  it('holds out all attempts at a task, and lets examples with the tools of its winner count', async () => {
    const { value, stored } = await score((collection) => (collection === 'shell' ? [] : saying('find /srv')));
    expect(value('tools', 'shell')).toMatchObject({ value: 1 / 2, questions: 2 });
    for (const fold of ['shell-without-1', 'shell-without-2']) {
      expect(new Set(stored.get(fold)?.map(({ labels }) => labels.task)).size).toBe(1);
    }
    expect(value('rescue', 'shell')).toMatchObject({ value: 0 });
  });

  it('counts a recommendation by the share of its runs that are of the family', async () => {
    const runs = [interactions[5], interactions[0]] as Interaction[];
    const { value } = await score(() => [{ text: 'x', sources: runs }, ...saying('y')]);
    expect(value('family', 'desk')).toMatchObject({ value: 1 / 4, questions: 2 });
    expect(value('family', 'shell')).toBeUndefined();
  });

  it('tells answers to unrelated tasks from answers to the own ones', async () => {
    const { value } = await score((collection) => (collection.startsWith('desk') ? saying('x') : []));
    expect(value('falseAlarm', 'desk ← shell')).toMatchObject({ value: 1, questions: 2 });
    expect(value('answered', 'desk')).toMatchObject({ value: 1, questions: 2 });
    expect(value('falseAlarm', 'shell ← desk')).toMatchObject({ value: 0, questions: 2 });
    expect(value('answered', 'shell')).toMatchObject({ value: 0, questions: 2 });
  });

  it('asks and fills only what one metric needs', async () => {
    const { answerer, stored } = createScripted(() => []);
    const domains = divideIntoDomains(interactions, 2, 1);
    const options = { questions: 100, seed: 1, only: ['tools'] as const, say: () => {} };
    const { measures } = await scoreAnswerer(answerer, domains, options);
    expect(measures.map(({ metric }) => metric)).toEqual(['tools']);
    expect([...stored.keys()]).toEqual(['shell-without-1', 'shell-without-2']);
  });
});
