import { Registry } from '@whetstone/platform';
import {
  createRecordingLogger,
  hangs,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  sends,
  startScriptedEndpoint,
} from '@whetstone/platform/test-kit';

import type { Embedder } from '../../domain/ports.js';
import { type OpenAiEmbedderOptions, openOpenAiEmbedder, unitVector } from './openai-embedder.js';

/** Behaves like a model: equal texts get equal vectors. */
const embeds: ScriptedAnswer = (response, request) => {
  const { input } = request.body as { input: string };
  sends(200, { data: [{ embedding: [input.length, 1, 2, 2] }], usage: { prompt_tokens: 1 } })(response, request);
};

describe('the OpenAI embedder', () => {
  let server: ScriptedEndpoint;
  let embedder: Embedder | undefined;
  const log = createRecordingLogger();
  beforeEach(async () => {
    server = await startScriptedEndpoint(embeds);
  });
  afterEach(async () => {
    await embedder?.close();
    await server.stop();
  });

  async function open(change: Partial<OpenAiEmbedderOptions> = {}, dimension = 4): Promise<Embedder> {
    const remote = { name: 'embed-1', dimension, baseUrl: server.url, apiKey: undefined };
    const { logger } = log;
    const options = { remote, cacheBytes: 1 << 20, logger, registry: new Registry(), timeoutMs: 5_000 };
    embedder = await openOpenAiEmbedder({ ...options, ...change });
    return embedder;
  }

  it('returns unit vectors and the model for the shard name', async () => {
    const { model, embed } = await open();

    expect(model).toEqual({ name: 'embed-1', dimension: 4 });
    expect([...(await embed('ab', 'interactive'))].map((value) => value.toFixed(4))).toEqual(
      [2, 1, 2, 2].map((value) => (value / Math.sqrt(13)).toFixed(4)),
    );
  });

  it('requests each distinct text once, one text per request', async () => {
    const { embed } = await open();
    const asked = server.requests.length;

    const [one, two] = await Promise.all([embed('same', 'background'), embed('same', 'interactive')]);
    await embed('same', 'background');

    expect(one).toBe(two);
    expect(server.requests.slice(asked).map(({ body }) => body.input)).toEqual(['same']);
  });

  it('embeds any text, even an empty one', async () => {
    const { embed } = await open();

    for (const text of ['', '  ', '🦜', 'x'.repeat(10_000)]) expect(await embed(text, 'background')).toHaveLength(4);
    expect(server.requests.every(({ body }) => body.input.trim() !== '')).toBe(true);
  });

  it('runs interactive texts first', async () => {
    const { embed } = await open();
    const held: (() => void)[] = [];
    server.answer((response, request) => held.push(() => embeds(response, request)));
    const before = server.requests.length;
    const inputs = () => server.requests.slice(before).map(({ body }) => body.input as string);

    const background = Array.from({ length: 20 }, (_, number) => embed(`background ${number}`, 'background'));
    const urgent = embed('urgent', 'interactive');
    while (!inputs().includes('urgent')) await new Promise((resolve) => setTimeout(resolve, 5));

    expect(inputs().length).toBeLessThan(20);
    server.answer(embeds);
    for (const release of held) release();
    await Promise.all([urgent, ...background]);
  });

  it('fails to open if the dimension is wrong, naming both dimensions', async () => {
    await expect(open({}, 3)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'The embedding model embed-1 returns 4 dimensions, but WHETSTONE_EMBEDDING_DIMENSION is 3',
    });
  });

  it('rejects vectors of the wrong dimension, even if discovered after the start', async () => {
    server.answer(sends(503, {}), embeds);
    const { embed } = await open({}, 3);

    await expect(embed('task', 'background')).rejects.toMatchObject({ code: 'model_mismatch', retryable: true });
    expect(log.text()).toContain('Embedding is blocked until the configuration is fixed');
  });

  it.each([
    ['is busy', sends(429, {})],
    ['is broken', sends(500, {})],
    ['does not know us', sends(401, {})],
    ['never answers', hangs()],
    ['gives no direction', sends(200, { data: [{ embedding: [0, 0, 0, 0] }] })],
    ['gives no numbers', sends(200, { data: [{ embedding: [1, null, 2, 3] }] })],
    ['gives nothing', sends(200, { data: [] })],
  ])('rejects while the endpoint %s, and recovers afterwards', async (_, behaviour) => {
    server.answer(behaviour);
    const { embed } = await open({ timeoutMs: 1_500 });

    await expect(embed('task', 'background')).rejects.toMatchObject({ code: 'model_unavailable', retryable: true });
    server.answer(embeds);

    expect(await embed('task', 'background')).toHaveLength(4);
  });

  it('rejects pending texts when closed', async () => {
    const { embed, close } = await open();
    server.answer(hangs());
    const waiting = Promise.allSettled([embed('one', 'background'), embed('two', 'interactive')]);

    await close();

    expect(await waiting).toMatchObject([
      { status: 'rejected', reason: { code: 'model_unavailable' } },
      { status: 'rejected', reason: { code: 'model_unavailable' } },
    ]);
    await expect(embed('three', 'background')).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});

describe('unitVector', () => {
  it.each([[[3, 4]], [[1e200, -1e200]], [[1e-300, 2e-300, 0]]])('keeps the direction: %j', (values) => {
    const unit = unitVector(values) ?? new Float32Array();
    expect(Math.hypot(...unit)).toBeCloseTo(1, 6);
    expect(unit[0]! / unit[1]!).toBeCloseTo(values[0]! / values[1]!, 5);
  });

  it.each([[[0, 0]], [[]], [[1, Number.NaN]], [[1, null as unknown as number]]])(
    'returns undefined without a direction: %j',
    (values) => {
      expect(unitVector(values)).toBeUndefined();
    },
  );
});
