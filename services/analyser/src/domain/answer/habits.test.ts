import type { Insight, SearchHit, SearchRequest } from '@whetstone/contracts';
import { AppError, Registry } from '@whetstone/platform';
import { formatAdvice } from '@whetstone/reading';

import { createEnhanceTask, defaultEnhanceConfig } from './enhance-task.js';
import { consolidated } from './test-kit/consolidated.js';
import { aHit, type HitOptions, times } from './test-kit/hits.js';

const task = 'Repair every bicycle with a flat tyre';
const undecided = { verdicts: [], settings: {} };
const advice = 'Send the bare action and nothing else.';

const strategy = (more: HitOptions = {}) =>
  aHit({ task, example: 'patch --all', ...more, origin: { agentType: 'mechanic', ...more.origin } });

/** The lesson of a run at another task whose actions were in a code fence. */
function wrapped(at: number, more: HitOptions = {}): SearchHit {
  const insight: Partial<Insight> = { kind: 'pitfall', polarity: 'failure', scope: 'format', rule: 'format' };
  return aHit({
    task: `Task number ${at}`,
    similarity: 0,
    example: '```\npump --all\n```',
    ...more,
    insight: { ...insight, content: advice, ...more.insight },
    origin: { agentType: 'mechanic', ...more.origin },
  });
}

const many = (count: number, more: HitOptions = {}) => times(count, (at) => wrapped(at, more));

/** Finds `near` by the task and `habits` by the format advice. */
function setUp(near: SearchHit[], ofForm: SearchHit[] | Error) {
  const asked: SearchRequest[] = [];
  const warnings: unknown[] = [];
  const clock = { time: 1, elapsedMs: 1, now: () => clock.time };
  const enhance = createEnhanceTask({
    knowledge: {
      async search(request) {
        asked.push(request);
        if (request.text !== formatAdvice) return { hits: near, ...undecided };
        if (ofForm instanceof Error) throw ofForm;
        return { hits: ofForm, ...undecided };
      },
    },
    enhancementIds: { issue: () => 'token' },
    clock,
    monotonicMs: () => clock.elapsedMs,
    logger: { warn: (_fields: unknown, message?: string) => warnings.push(message) },
    registry: new Registry(),
    config: defaultEnhanceConfig,
  });
  const ask = async (collectionId = 'c') => {
    const answer = await enhance({ collectionId, inputText: task, context: {}, agentType: 'mechanic' }, {});
    return { ...answer, texts: answer.recommendations.map(({ text }) => text) };
  };
  return { ask, asked, clock, warnings };
}

describe('a format habit of many runs at many tasks', () => {
  it('is shown once and last, for any task of the agent type, with all its runs and without an example', async () => {
    const { texts, response, recommendations, confidenceScore } = await setUp([strategy()], many(58)).ask();

    expect(texts).toEqual([expect.stringContaining('patch --all'), `[what worked · 58 runs] ${advice}`]);
    expect(response).not.toContain('pump');
    expect(response).not.toContain('```');
    expect(recommendations[1]?.sourceJobIds).toHaveLength(58);
    expect(confidenceScore).toBe((await setUp([strategy()], []).ask()).confidenceScore);
  });

  it('counts all runs of consolidated insights, which are of one task each', async () => {
    const oiled = consolidated(many(40, { task: 'Oil the chain', name: 'l.v.oil' }));
    const cleaned = consolidated(many(18, { task: 'Clean the saddle', name: 'l.v.clean' }));

    expect((await setUp([strategy()], [oiled]).ask()).texts).toHaveLength(1);
    expect((await setUp([strategy()], [oiled, cleaned]).ask()).texts[1]).toContain('58 runs');
  });

  it('is not shown if only runs near the task have it', async () => {
    const near = wrapped(1, { task, similarity: 1 });

    expect((await setUp([near, strategy()], []).ask()).texts).toHaveLength(1);
  });

  it('is not shown if nothing is known about the task', async () => {
    expect(await setUp([], many(58)).ask()).toMatchObject({ response: task, recommendations: [] });
  });

  it.each([
    ['only two runs made it', many(2)],
    ['runs at one task alone made it', many(9, { task: 'Oil the chain' })],
    ['one body was uploaded again and again', many(9, { origin: { bodyDigest: 'one' } })],
    ['agents of another kind made it', many(9, { origin: { agentType: 'cook' } })],
    ['runs that were told of it went badly', many(9, { votes: { helped: 0, harmed: 3 } })],
    ['it is something else that is found', many(9, { insight: { scope: 'task' } })],
    ['each run learnt another one', times(9, (at) => wrapped(at, { insight: { rule: `rule ${at}` } }))],
  ])('is not shown if %s', async (_, found) => {
    expect((await setUp([strategy()], found).ask()).texts).toHaveLength(1);
  });

  it('is still shown where such tasks usually fail', async () => {
    const hard = strategy({ votes: { helped: 14, harmed: 30 } });

    expect((await setUp([hard], many(9, { votes: { helped: 1, harmed: 3 } })).ask()).texts).toHaveLength(2);
  });

  it('is left out with a warning if searching for it fails', async () => {
    const { ask, warnings } = setUp([strategy()], new AppError('store_unavailable', 'away', { retryable: true }));

    expect((await ask()).texts).toHaveLength(1);
    expect(warnings).toEqual(['Searching for a format habit failed; answering without it']);
  });

  it('is searched for only now and then in a collection without one', async () => {
    const { ask, asked, clock } = setUp([strategy()], []);
    const looked = () => asked.filter(({ text }) => text === formatAdvice).map(({ collectionId }) => collectionId);

    for (const collectionId of ['c', 'c', 'd']) await ask(collectionId);
    expect(looked()).toEqual(['c', 'd']);
    const question = { collectionId: 'c', text: formatAdvice, agentType: 'mechanic', byWordsAlone: true, limit: 64 };
    expect(asked).toContainEqual(question);
    clock.elapsedMs += 31_000;
    await ask();

    expect(looked()).toEqual(['c', 'd', 'c']);
  });

  it.each([-600, 600])('is searched for as often where the wall clock is set by %s s', async (seconds) => {
    const { ask, asked, clock } = setUp([strategy()], []);
    await ask();
    clock.time += seconds * 1_000_000;
    await ask();
    clock.elapsedMs += 31_000;
    await ask();

    expect(asked.filter(({ text }) => text === formatAdvice)).toHaveLength(2);
  });
});
