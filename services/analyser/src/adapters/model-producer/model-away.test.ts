import { breaksOff, hangs, resets, type ScriptedAnswer, sends } from '@whetstone/platform/test-kit';

import { anUpload } from '../../test-kit/index.js';
import { at, goodAnswer, insightsIn, useModelSite } from '../../test-kit/model-site.js';

describe('an unavailable or busy model', () => {
  const site = useModelSite();

  const away: [string, ScriptedAnswer][] = [
    ['is busy', sends(429, { error: { message: 'slow down' } })],
    ['is busy and says for how long', sends(429, {}, { 'retry-after-ms': '40' })],
    ['says when it will be back', sends(503, {}, { 'retry-after': new Date(0).toUTCString() })],
    ['answers 500', sends(500, 'oops')],
    ['resets the connection', resets()],
    ['breaks off in its answer', breaksOff()],
    ['answers with half a document', sends(200, '{"choices": [{', { 'content-type': 'application/json' })],
    ['does not know the key', sends(401, { error: { message: 'Incorrect API key provided' } })],
    ['does not let us', sends(403, { error: { message: 'Your account is not active' } })],
    ['does not know the model', sends(404, { error: { code: 'model_not_found', message: 'no m1' } })],
    ['has no money left for us', sends(429, { error: { code: 'insufficient_quota' } })],
    ['is something else', sends(200, '<html>Sign in</html>')],
  ];

  it.each(away)('makes the job wait while the endpoint %s, without using up an attempt', async (_, behaviour) => {
    const times = 5;
    site.server.answer(...Array.from({ length: times }, () => behaviour), goodAnswer);
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('completed');

    expect(work.heard).toEqual(['ended stored']);
    expect(site.server.requests).toHaveLength(times + 1);
    expect(site.log.lines().filter(({ msg }) => msg === 'A dependency of a job is away; waiting')).toHaveLength(1);
  });

  it('is asked again after the timeout', async () => {
    site.server.answer(hangs(), goodAnswer);
    const work = await site.bench({ timeoutMs: 1_000 });

    expect(await work.process(anUpload({ at }))).toBe('completed');

    expect(work.heard).toEqual(['ended stored']);
    expect(site.server.requests.length).toBeGreaterThan(1);
  });

  it('is logged once as an error that says what to fix, without the key', async () => {
    const refused = sends(401, { error: { message: 'Incorrect API key provided: sk-of-a-test' } });
    site.server.answer(refused, refused, refused, goodAnswer);
    const work = await site.bench();

    await work.process(anUpload({ at }));

    expect(site.log.lines().filter(({ level }) => level === 'error')).toMatchObject([
      { error_type: 'unauthorized', msg: expect.stringContaining('Look at WHETSTONE_MODEL_*') },
    ]);
    expect(site.log.text()).not.toContain('sk-of-a-test');
    expect(await site.registry.metrics()).toMatch(/operation_duration_seconds_count{.*error_type="unauthorized"} 3/);
  });

  it('shows in the health of the producer', async () => {
    site.server.answer(sends(500, {}), goodAnswer);
    const work = await site.bench();
    await site.producer.produce(anUpload({ at }).interaction, new AbortController().signal).catch(() => {});
    expect(site.producer.dependencies?.()).toEqual([{ name: 'model', ok: false }]);

    await work.process(anUpload({ at }));
    expect(site.producer.dependencies?.()).toEqual([{ name: 'model', ok: true }]);
  });

  it('gets no more concurrent requests than allowed', async () => {
    let running = 0;
    let most = 0;
    site.server.answer((response, request) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        goodAnswer(response, request);
      }, 30);
    });
    const work = await site.bench({ concurrency: 2 });

    await Promise.all(
      Array.from({ length: 7 }, (_, number) =>
        work.process(anUpload({ at: at + number, query: `Refund ${number} orders` })),
      ),
    );

    expect(most).toBe(2);
    expect(insightsIn(work)).toHaveLength(7);
  });

  it('is no longer asked when the job is aborted', async () => {
    site.server.answer(hangs());
    const stop = new AbortController();
    const job = (await site.open()).produce(anUpload({ at }).interaction, stop.signal);
    while (site.server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

    stop.abort(new Error('partition lost'));

    await expect(job).rejects.toThrow('partition lost');
  });

  it('does not make the run be read twice', async () => {
    const away = sends(500, {});
    site.server.answer(away, away, away, goodAnswer);
    let readings = 0;
    const { call } = site.pool;
    site.pool.call = (...asked) => {
      readings++;
      return call(...asked);
    };
    const work = await site.bench();

    expect(await work.process(anUpload({ at }))).toBe('completed');
    expect(readings).toBe(1);
    site.pool.call = call;
  });

  it('is rejected at start if the settings leave no room for a run', async () => {
    await site.open();
    await expect(site.open({ contextTokens: 2048, maxOutputTokens: 2000 })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('WHETSTONE_MODEL_CONTEXT_TOKENS (2048) leaves no room'),
    });
  });
});
