import { setTimeout as sleep } from 'node:timers/promises';

import { Registry } from 'prom-client';

import {
  breaksOff,
  createRecordingLogger,
  hangs,
  recordSpans,
  resets,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  says,
  sends,
  startScriptedEndpoint,
  stopsHalfway,
} from '../test-kit/index.js';
import { createModelEndpoint, type ModelEndpointOptions } from './model-endpoint.js';
import { toAppError } from './model-failure.js';

const spans = recordSpans();
const signal = new AbortController().signal;
const question = { messages: [{ role: 'user' as const, content: 'What did it teach?' }] };
const apiKey = 'sk-secret-of-this-test';

describe('a model behind an endpoint', () => {
  let server: ScriptedEndpoint;
  beforeEach(async () => {
    server = await startScriptedEndpoint();
  });
  afterEach(() => server.stop());

  function open(change: Partial<ModelEndpointOptions> = {}) {
    const registry = new Registry();
    const log = createRecordingLogger();
    const { logger } = log;
    const rest = { model: 'm1', timeoutMs: 20_000, variables: 'WHETSTONE_MODEL', logger, registry, apiKey };
    const endpoint = createModelEndpoint({ baseUrl: server.url, ...rest, ...change });
    return { endpoint, registry, log };
  }

  it('says what the model said, and counts tokens and time', async () => {
    server.answer(says('Something', { usage: { prompt_tokens: 120, completion_tokens: 30 } }));
    const { endpoint, registry } = open();

    expect(await endpoint.chat(question, signal)).toMatchObject({ content: 'Something', finishReason: 'stop' });

    expect(server.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: `Bearer ${apiKey}` }, body: { model: 'm1' } },
    ]);
    const text = await registry.metrics();
    const of = 'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="m1"';
    expect(text).toContain(`gen_ai_client_token_usage_sum{${of},gen_ai_token_type="input"} 120`);
    expect(text).toContain(`gen_ai_client_token_usage_sum{${of},gen_ai_token_type="output"} 30`);
    expect(text).toContain(`gen_ai_client_operation_duration_seconds_count{${of},error_type=""} 1`);
    expect(spans.getFinishedSpans()).toMatchObject([
      { name: 'chat m1', attributes: { 'gen_ai.usage.input_tokens': 120 } },
    ]);
  });

  it('sends no key where there is none', async () => {
    server.answer(says('ok'));
    await open({ apiKey: undefined }).endpoint.chat(question, signal);

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  const away: [string, ScriptedAnswer, string][] = [
    ['429', sends(429, { error: { message: 'slow down' } }), 'rate_limited'],
    ['429 because the money is gone', sends(429, { error: { code: 'insufficient_quota' } }), 'quota_exceeded'],
    ['500', sends(500, 'Internal Server Error'), 'server_error'],
    ['503 in words of its own', sends(503, { detail: 'loading' }), 'server_error'],
    ['a connection that is reset', resets(), 'unreachable'],
    ['a connection that breaks in the answer', breaksOff(), 'unreachable'],
    [
      'an answer that is half a JSON document',
      sends(200, '{"choices": [', { 'content-type': 'application/json' }),
      'broken_answer',
    ],
    ['an error that comes as a success', sends(200, { error: { code: 502, message: 'upstream' } }), 'server_error'],
    ['401', sends(401, { error: { message: 'wrong key' } }), 'unauthorized'],
    ['403', sends(403, { error: 'not for you' }), 'unauthorized'],
    ['402', sends(402, { error: { message: 'Insufficient Balance' } }), 'quota_exceeded'],
    ['404', sends(404, { error: { message: 'The model `m1` does not exist' } }), 'not_found'],
    ['501', sends(501, { error: { message: 'This server does not support embeddings' } }), 'not_found'],
    ['400 for a model that is not there', sends(400, { error: { message: 'Model Not Exist' } }), 'not_found'],
    [
      '400 for more output than there can be',
      sends(400, { error: { message: 'max_tokens is too large' } }),
      'wrong_setting',
    ],
    ['a page of something else', sends(200, '<html>Sign in</html>'), 'not_an_endpoint'],
    ['an object of something else', sends(200, { hello: 'world' }), 'not_an_endpoint'],
  ];

  it.each(away)('is away: %s', async (_, behaviour, kind) => {
    server.answer(behaviour);
    const { endpoint, registry } = open();

    const failure = await endpoint.chat(question, signal).catch((error) => error);

    expect(failure).toMatchObject({ kind, isAway: true });
    expect(toAppError(failure, 'analysis_failed')).toMatchObject({ code: 'model_unavailable', retryable: true });
    expect(endpoint.healthy()).toBe(false);
    expect(await registry.metrics()).toMatch(new RegExp(`duration_seconds_count{[^}]*error_type="${kind}"} 1`));
    expect(server.requests).toHaveLength(1);
  });

  const refused: [string, ScriptedAnswer, string][] = [
    [
      'too long',
      sends(400, { error: { code: 'context_length_exceeded', message: 'maximum context length' } }),
      'context_overflow',
    ],
    ['too large', sends(413, ''), 'context_overflow'],
    [
      'an output format',
      sends(400, { error: { message: "'response_format' is not supported" } }),
      'unsupported_output',
    ],
    [
      'an output format, in another shape',
      sends(422, { detail: [{ loc: ['body', 'response_format'] }] }),
      'unsupported_output',
    ],
    [
      'how the length is limited',
      sends(400, { error: { message: "Unsupported parameter: 'max_tokens'" } }),
      'unsupported_limit',
    ],
    ['an output format, as its own error', sends(500, { error: 'Failed to parse grammar' }), 'unsupported_output'],
    ['what it is about', sends(400, { error: { code: 'content_filter', message: 'filtered' } }), 'content_filtered'],
    ['something', sends(400, 'nonsense'), 'invalid_request'],
  ];

  it.each(refused)('does not take a request: %s', async (_, behaviour, kind) => {
    server.answer(behaviour);
    const { endpoint } = open();

    const failure = await endpoint.chat(question, signal).catch((error) => error);

    expect(failure).toMatchObject({ kind, isAway: false });
    expect(toAppError(failure, 'analysis_failed')).toMatchObject({ code: 'analysis_failed', retryable: false });
    expect(endpoint.healthy()).toBe(true);
  });

  it.each([
    ['answers', hangs()],
    ['ends its answer', stopsHalfway()],
  ])('is not waited for longer than told when it never %s', async (_, behaviour) => {
    server.answer(behaviour);

    await expect(open({ timeoutMs: 200 }).endpoint.chat(question, signal)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('is away when nobody listens', async () => {
    const { endpoint } = open({ baseUrl: 'http://127.0.0.1:9/v1' });

    await expect(endpoint.chat(question, signal)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it.each([0, -600_000, 600_000])(
    'is left alone for as long as it asks, also where the wall clock is set by %s ms meanwhile',
    async (stepMs) => {
      server.answer(sends(429, {}, { 'retry-after-ms': '2500' }), says('back'));
      const { endpoint } = open();
      await expect(endpoint.chat(question, signal)).rejects.toMatchObject({ retryAfterMs: 2500 });

      const now = Date.now;
      Date.now = () => now() + stepMs;
      try {
        await expect(endpoint.chat(question, signal)).rejects.toMatchObject({ kind: 'rate_limited' });
        expect(server.requests).toHaveLength(1);
        await sleep(2550);

        expect(await endpoint.chat(question, signal)).toMatchObject({ content: 'back' });
      } finally {
        Date.now = now;
      }
    },
  );

  it('complains once, loudly and without the key, about what somebody has to mend', async () => {
    server.answer(sends(401, { error: { message: `Incorrect API key provided: ${apiKey}` } }));
    const { endpoint, log } = open();

    for (let call = 0; call < 3; call++) await endpoint.chat(question, signal).catch(() => {});

    expect(log.lines()).toMatchObject([{ level: 'error', error_type: 'unauthorized' }]);
    expect(log.text()).toContain('WHETSTONE_MODEL_*');
    expect(log.text()).not.toContain(apiKey);
  });

  it('stops when the caller does, and blames nobody', async () => {
    server.answer(hangs());
    const stop = new AbortController();
    const { endpoint } = open();
    const call = endpoint.chat(question, stop.signal);

    stop.abort(new Error('partition lost'));

    await expect(call).rejects.toThrow('partition lost');
    expect(endpoint.healthy()).toBe(true);
  });

  it('embeds a text', async () => {
    server.answer(sends(200, { data: [{ embedding: [3, 4] }], usage: { prompt_tokens: 5, total_tokens: 5 } }));
    const { endpoint, registry } = open();

    expect(await endpoint.embed('a task', signal)).toEqual([3, 4]);

    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { input: 'a task', encoding_format: 'float' },
    });
    expect(await registry.metrics()).toMatch(/token_usage_sum{gen_ai_operation_name="embeddings".*type="input"} 5/);
  });
});
