import type { Insight, SearchHit, SearchRequest } from '@whetstone/contracts';
import { AppError, Registry } from '@whetstone/platform';

import { formatQuestion } from '../reflector/lessons/format-lesson.js';
import { createEnhanceTask, defaultEnhanceConfig } from './enhance-task.js';

const task = 'Repair every bicycle with a flat tyre';
const fenced = 'Send the bare action, without a code fence (```)';
let made = 0;

function aHit(insight: Partial<Insight>, rest: Partial<SearchHit> = {}, agentType = 'mechanic'): SearchHit {
  const number = ++made;
  const way: Insight = {
    kind: 'strategy',
    title: `Way ${number}`,
    content: `Take way ${number}.`,
    steps: [],
    polarity: 'success',
    evidence: [1],
    confidence: 0.7,
  };
  const producer = { name: 'reflector', version: '5' };
  return {
    id: `row-${number}`,
    intent: task,
    similarity: 1,
    score: 1,
    insight: { ...way, ...insight },
    run: { outcome: 'success', judged: false, uses: [] },
    origin: { jobId: `job-${number}`, keyId: 'k', acceptedAt: 1, bodyDigest: `digest-${number}`, agentType, producer },
    ...rest,
  };
}

const strategy = (more: Partial<SearchHit> = {}) => aHit({}, more);

/** What a run at some other task left, whose actions came in a code fence. */
function wrapped(more: Partial<SearchHit> = {}, agentType?: string): SearchHit {
  const content = `Actions with a code fence (\`\`\`) ${made % 3 === 0 ? 'got through in the end' : 'were rejected'}.`;
  const insight = { kind: 'pitfall', title: fenced, appliesWhen: 'it is executed as it stands', content } as const;
  const example = '```\npump --all\n```';
  const intent = `Task number ${made}`;
  return aHit({ ...insight, example, polarity: 'failure' }, { intent, similarity: 0.2, ...more }, agentType);
}

function many(count: number, more?: Partial<SearchHit>, agentType?: string): SearchHit[] {
  return Array.from({ length: count }, () => wrapped(more, agentType));
}

/** A service that finds the one by the task, the other by what lessons on form say. */
function setUp(near: SearchHit[], ofForm: SearchHit[] | Error) {
  const asked: SearchRequest[] = [];
  const clock = { time: 1, now: () => clock.time };
  const enhance = createEnhanceTask({
    knowledge: {
      async search(request) {
        asked.push(request);
        if (request.text !== formatQuestion) return { hits: near };
        if (ofForm instanceof Error) throw ofForm;
        return { hits: ofForm };
      },
    },
    enhancementIds: { issue: () => 'token' },
    clock,
    registry: new Registry(),
    config: defaultEnhanceConfig,
  });
  const ask = async (collectionId = 'c') => {
    const answer = await enhance({ collectionId, inputText: task, context: {}, agentType: 'mechanic' }, {});
    return { ...answer, told: answer.recommendations.map(({ title, support }) => `${title}: ${support}`) };
  };
  return { ask, asked, clock };
}

describe('a mistake of form that many runs made at many tasks', () => {
  it('is told once, to any task of such an agent, last and with all these runs, without what one of them sent', async () => {
    const { told, recommendations, confidenceScore } = await setUp([strategy()], many(58)).ask();

    expect(told).toEqual([expect.stringMatching(/^Way/), `${fenced}: 58`]);
    expect(recommendations[1]?.text).toMatch(/^\[avoid · 58 runs\] Actions with a code fence \(```\) were rejected\./);
    expect(recommendations[1]?.text).not.toContain('pump');
    expect(recommendations[1]?.sourceJobIds).toHaveLength(58);
    expect(confidenceScore).toBe((await setUp([strategy()], []).ask()).confidenceScore);
  });

  it('counts all its runs where one of them was at the very task, and is told with its example there', async () => {
    const near = wrapped({ intent: task, similarity: 1 });

    const { told, recommendations } = await setUp([near, strategy()], [near, ...many(9)]).ask();

    expect(told).toEqual([expect.stringMatching(/^Way/), `${fenced}: 10`]);
    expect(recommendations[1]?.text).toContain('pump --all');
  });

  it('is nothing to say where nothing is known about the task', async () => {
    expect(await setUp([], many(58)).ask()).toMatchObject({ response: task, recommendations: [] });
  });

  it.each([
    ['only two runs made it', many(2)],
    ['runs at one task alone made it', many(9, { intent: 'Oil the chain' })],
    ['one body was uploaded again and again', many(9, { origin: wrapped().origin })],
    ['agents of another kind made it', many(9, {}, 'cook')],
    ['runs that were told of it went badly', many(9, { votes: { helped: 0, harmed: 3 } })],
    ['it is something else that is found', Array.from({ length: 9 }, () => strategy({ intent: `Task ${made}` }))],
  ])('is not told where %s', async (_, found) => {
    expect((await setUp([strategy()], found).ask()).told).toHaveLength(1);
  });

  it('is told all the same where such tasks go badly anyway', async () => {
    const hard = strategy({ votes: { helped: 14, harmed: 30 } });

    expect((await setUp([hard], many(9, { votes: { helped: 1, harmed: 3 } })).ask()).told).toHaveLength(2);
  });

  it('takes nothing away from the answer: neither room nor the answer itself, should looking for it fail', async () => {
    const ways = Array.from({ length: 5 }, (_, at) =>
      aHit({ content: ['glue', 'patch', 'pump', 'swap the tube', 'call a smith'][at] as string }),
    );
    const away = new AppError('store_unavailable', 'away', { retryable: true });

    expect((await setUp(ways, many(58)).ask()).told).toHaveLength(5);
    expect((await setUp([strategy()], away).ask()).told).toHaveLength(1);
  });

  it('is looked for only now and then in a collection that has none', async () => {
    const { ask, asked, clock } = setUp([strategy()], []);
    const looked = () => asked.filter(({ text }) => text === formatQuestion).map(({ collectionId }) => collectionId);

    for (const collectionId of ['c', 'c', 'd']) await ask(collectionId);
    expect(looked()).toEqual(['c', 'd']);
    const question = { collectionId: 'c', text: formatQuestion, agentType: 'mechanic', byWordsAlone: true, limit: 64 };
    expect(asked).toContainEqual(question);
    clock.time += 31_000_000;
    await ask();

    expect(looked()).toEqual(['c', 'd', 'c']);
  });
});
