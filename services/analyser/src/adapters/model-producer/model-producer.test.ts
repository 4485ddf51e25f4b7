import { type ScriptedAnswer, says, sends } from '@whetstone/platform/test-kit';

import { anUpload } from '../../test-kit/index.js';
import { answeredInsight, answerOf, at, goodAnswer, reasonOf, useModelSite } from '../../test-kit/model-site.js';

describe('learning with a model', () => {
  const site = useModelSite();

  it("stores the model's insights with their producer, and counts tokens", async () => {
    site.server.answer(says(answerOf(answeredInsight()), { usage: { prompt_tokens: 700, completion_tokens: 90 } }));
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('completed');

    expect(work.knowledge.calls).toMatchObject([
      {
        intent: 'Refund an order',
        run: { outcome: 'success', steps: [{ turn: 1, action: 'refund(order=17)' }] },
        insights: [
          { kind: 'strategy', polarity: 'success', evidence: [1], confidence: 0.8, example: 'refund(order=17)' },
        ],
        origin: { producer: { name: 'model:m1', version: 'prompt-v2' } },
      },
    ]);
    expect(await site.registry.metrics()).toMatch(/gen_ai_client_token_usage_sum{.*gen_ai_token_type="output"} 90/);
  });

  it('marks insights as made by a model, and recoveries as about an error', async () => {
    const { example: _, ...withoutExample } = answeredInsight({ kind: 'recovery', title: 'Read before you refund' });
    site.server.answer(says(answerOf(answeredInsight(), withoutExample)));
    await site.open();

    const { insights } = await site.producer.produce(anUpload({ at }).interaction, new AbortController().signal);

    expect(insights).toMatchObject([
      { scope: 'task', rule: 'model', effects: ['changes'] },
      { scope: 'error', rule: 'model', effects: [] },
    ]);
  });

  it("keeps the reflector's insights if the model finds nothing", async () => {
    site.server.answer(says('{"insights": []}'));
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('completed');
    expect(work.heard).toEqual(['ended stored']);
    expect(work.knowledge.calls[0]?.origin.producer.name).toBe('reflector');
    expect(site.server.requests).toHaveLength(1);
  });

  it('rejects strategies from a failed run and asks for a repair', async () => {
    site.server.answer(goodAnswer, says(answerOf(answeredInsight({ kind: 'pitfall', polarity: 'failure' }))));
    await site.open();
    const failed = { ...anUpload({ at }).interaction, success: false };

    const { insights } = await site.producer.produce(failed, new AbortController().signal);

    expect(insights).toMatchObject([{ kind: 'pitfall', polarity: 'failure' }]);
    const [asked, told] = site.server.requests.map(({ body }) => body);
    expect(JSON.stringify(asked.response_format)).not.toContain('strategy');
    expect(told.messages[3].content).toContain('insights.0.kind must be one of pitfall, recovery');
  });

  it('does not ask about a run without actions', async () => {
    const work = await site.bench();

    await work.process(anUpload({ at, turns: [] }));

    expect(work.heard).toEqual(['ended nothing_to_learn']);
    expect(site.server.requests).toHaveLength(0);
  });

  const unusable: [string, ScriptedAnswer, RegExp][] = [
    ['prose', says('I think the agent did well and should go on like that.'), /not a JSON object/],
    ['an answer that was cut', says('{"insights": [{"kind": "str', { finishReason: 'length' }), /cut off/],
    ['half a JSON document', says('{"insights": [{"kind": "str'), /not a JSON object/],
    ['an empty answer', says(''), /empty/],
    ['an empty answer after reasoning to the limit', says('', { finishReason: 'length' }), /empty.*token limit/],
    ['no content at all', says(null), /empty/],
    ['no choice at all', sends(200, { choices: [] }), /empty/],
    [
      'other keys',
      says('{"lessons": [{"text": "Be careful"}]}'),
      /required property 'insights'.*unknown field "lessons"/,
    ],
    ['an empty object', says('{}'), /required property 'insights'/],
    ['an empty list without its name', says('[]'), /must be object/],
    ['null for the insights', says('{"insights": null}'), /insights must be array/],
    ['an insight with other keys', says('{"insights": [{"lesson": "x"}]}'), /unknown field "lesson"/],
    ['an unknown kind', says(answerOf(answeredInsight({ kind: 'tip' as never }))), /insights.0.kind must be one of/],
    [
      'wrong types',
      says(answerOf(answeredInsight({ evidence: 'turn 1' as never }))),
      /insights.0.evidence must be array/,
    ],
    [
      'an insight that says nothing',
      says(answerOf(answeredInsight({ content: ' ' }))),
      /insights.0.content must not be empty/,
    ],
    ['more than three', says(answerOf(...Array.from({ length: 4 }, () => answeredInsight()))), /NOT have more than 3/],
  ];

  it.each(unusable)('asks for one repair and takes the better answer: %s', async (_, bad, problem) => {
    site.server.answer(bad, goodAnswer);
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('completed');

    expect(work.heard).toEqual(['ended stored']);
    expect(site.server.requests).toHaveLength(2);
    const [, , assistant, told] = site.server.requests[1]!.body.messages;
    expect(assistant).toMatchObject({ role: 'assistant' });
    expect(told).toMatchObject({ role: 'user', content: expect.stringMatching(problem) });
  });

  it.each(unusable)(
    'fails the job with the reason if the repair is unusable too, and stores nothing: %s',
    async (_, bad, problem) => {
      site.server.answer(bad);
      const work = await site.bench();

      expect(await work.process(anUpload({ at }))).toBe('failed');

      expect(work.heard).toEqual(['retried', 'retried', 'dead letter', 'ended failed']);
      expect(reasonOf(work)).toMatch(/^analysis_failed: .*\(tries: 3\)$/);
      expect(reasonOf(work)).toMatch(problem);
      expect(work.letters).toMatchObject([{ reason: 'analysis_failed', tries: 3 }]);
      expect(work.knowledge.calls).toEqual([]);
      expect(site.server.requests).toHaveLength(6);
    },
  );

  it.each([
    ['the model refuses', says(null, { refusal: 'I cannot help with that.' }), /refused/],
    ['the content filter steps in', says('', { finishReason: 'content_filter' }), /content filter/],
    ['the prompt is filtered', sends(400, { error: { code: 'content_filter', message: 'filtered' } }), /filtered/],
    ['the endpoint rejects the request', sends(400, { error: { message: 'nonsense' } }), /invalid_request/],
  ])('fails the job with the reason and without a repair if %s', async (_, behaviour, reason) => {
    site.server.answer(behaviour);
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('failed');

    expect(reasonOf(work)).toMatch(reason);
    expect(site.server.requests).toHaveLength(3);
    expect(work.knowledge.calls).toEqual([]);
  });

  it.each(['cannot parse', 'context length exceeded by'])(
    'quotes nothing of the run in what is kept of it, whatever the endpoint says: %s …',
    async (complaint) => {
      const quoting = `${complaint} "Refund the purple umbrella"`;
      site.server.answer(sends(400, { error: { message: quoting } }));
      const work = await site.bench();

      expect(await work.process(anUpload({ at, query: 'Refund the purple umbrella' }))).toBe('failed');

      expect(reasonOf(work)).not.toContain('umbrella');
      expect(work.letters[0]?.detail).not.toContain('umbrella');
    },
  );
});
