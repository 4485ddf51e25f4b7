import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpTools, type Scope } from '@whetstone/contracts';
import { defaultCollectionIdOf, workflowCollectionIdOf } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';
import type { Enhancer } from './domain/ports.js';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { collectionId, lesson, startWithLesson } from './test-kit/start-with-lesson.js';

const start = gatewaysOfATest();
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

type Era = 'auto' | 'legacy';

async function connect(url: string, key: string, path = '/mcp/shop', era: Era = 'auto') {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
  clients.push(client);
  const use = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    const [first] = content as { text: string }[];
    return { text: first?.text ?? '', isError };
  };
  return { client, use };
}

const run = {
  task: 'List the logs',
  steps: [
    { action: 'ls logs', result: 'a.log' },
    { observation: 'one file', action: 'wc -l a.log' },
  ],
  success: true,
  enhancement_id: 'enh_1',
  agent_type: 'shell',
};

const advice: Enhancer['enhance'] = async ({ inputText }) => ({
  response: `${inputText}\n\nUse ls.`,
  confidenceScore: 1,
  enhancementId: 'enh_1',
  recommendations: [
    { id: 'a', kind: 'strategy', title: 't', text: 'Use ls.', similarity: 1, support: 1, sourceJobIds: [] },
  ],
  holdout: false,
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const accept = { accept: 'application/json, text/event-stream' };

describe('MCP', () => {
  it.each<Era>(['auto', 'legacy'])('gives recommendations for a task and records a run (%s)', async (era) => {
    const asked: string[] = [];
    const enhance: Enhancer['enhance'] = (request, context) => {
      asked.push(request.collectionId);
      return advice(request, context);
    };
    const { url, key, uploads } = await start({ enhance });
    const { client, use } = await connect(url, key, '/mcp/shop', era);

    expect(client.getServerVersion()?.name).toBe('whetstone');
    expect(client.getInstructions()).toContain('get_recommendations');
    expect(await use('get_recommendations', { task: 'List the logs' })).toEqual({
      text: 'List the logs\n\nUse ls.\n\nenhancement_id: enh_1',
      isError: false,
    });
    expect(asked).toEqual([collectionId]);

    expect((await use('record_run', run)).text).toMatch(/^The run is recorded as job_\S+\. /);
    const [recorded] = await uploads();
    expect(recorded?.upload.collectionId).toBe(collectionId);
    expect(recorded?.upload.interaction).toEqual({
      query: 'List the logs',
      turns: [
        { turn: 1, inputs: '', decision: 'ls logs', result: 'a.log' },
        { turn: 2, inputs: 'one file', decision: 'wc -l a.log' },
      ],
      success: true,
      agentType: 'shell',
      metadata: { enhancement_id: 'enh_1' },
    });
  });

  it('has a long task read for the search', async () => {
    const asked: unknown[] = [];
    const enhance: Enhancer['enhance'] = (request, context) => {
      asked.push(request.searchTexts);
      return advice(request, context);
    };
    const { url, key } = await start({ enhance });
    const { use } = await connect(url, key);
    await use('get_recommendations', { task: `${'17 rows were read at 10:00\n'.repeat(2000)}\nPlease list the logs.` });

    expect(asked).toEqual([{ task: 'Please list the logs.', context: '' }]);
  });

  it('says so if nothing fits the task', async () => {
    const { url, key } = await start();
    const { use } = await connect(url, key);

    expect((await use('get_recommendations', { task: 'x' })).text).toMatch(
      /^Nothing learnt .*\n\nenhancement_id: enh_test$/s,
    );
  });

  it('takes the collection from the path, decoded, and the default collection without one', async () => {
    const { url, key, uploads } = await start();
    for (const path of ['/mcp', '/mcp/my%20shop%2F1']) await (await connect(url, key, path)).use('record_run', run);

    const collections = (await uploads()).map(({ upload }) => upload.collectionId);
    expect(new Set(collections)).toEqual(
      new Set([defaultCollectionIdOf('acme'), workflowCollectionIdOf('acme', 'my shop/1')]),
    );
  });

  it('refuses the key of another account as a collection', async () => {
    const { url, key, issueKey } = await start();
    const other = await issueKey('other');
    const { use } = await connect(url, key, `/mcp/${other.key}`);

    expect(await use('record_run', run)).toMatchObject({
      isError: true,
      text: expect.stringContaining('not a key of your account'),
    });
  });

  it.each<[Scope[], string[]]>([
    [['ask'], ['get_recommendations', 'give_feedback']],
    [['record'], ['record_run', 'give_feedback']],
    [['curate'], ['search_lessons']],
    [['admin'], []],
    [['ask', 'record', 'curate'], Object.keys(mcpTools)],
  ])('lists and runs the tools of a key that may %j', async (scopes, expected) => {
    const { url, issueKey, uploads } = await start();
    const { key } = await issueKey('acme', { scopes });
    const { client, use } = await connect(url, key);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expected);
    if (scopes.includes('record')) return;
    expect(await use('record_run', run)).toEqual({
      text: `This key may ${scopes[0]}; record_run needs record`,
      isError: true,
    });
    expect(await uploads()).toEqual([]);
  });

  it('finds lessons and counts feedback like REST', async () => {
    const { url, key, called } = await startWithLesson(start);
    const { use, client } = await connect(url, key);

    expect(JSON.parse((await use('search_lessons', { query: 'logs', limit: 5 })).text).lessons).toMatchObject([
      { id: lesson.id },
    ]);
    expect(called.listLessons).toEqual([{ collectionId, query: 'logs', sort: 'relevance', limit: 5 }]);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'search_lessons')?.annotations?.readOnlyHint).toBe(true);
    expect(await use('give_feedback', { enhancement_id: 'enh_unknown', success: true })).toEqual({
      text: 'No such answer in this collection',
      isError: true,
    });
  });

  it.each([
    ['get_recommendations', {}, 'task: Field required'],
    ['get_recommendations', { task: ' ' }, 'task: String should have at least 1 character that is not white space'],
    [
      'get_recommendations',
      { task: 'x'.repeat(300_000) },
      'task: String should have at most 262144 bytes together with context',
    ],
    ['get_recommendations', { task: '\ud800' }, 'task: Input should be a valid string'],
    ['record_run', { task: 'x', steps: [{ result: 'y' }] }, 'steps.0.action: Field required'],
    ['record_run', { task: 'x', steps: [] }, 'steps: List should have at least 1 item'],
    ['record_run', { task: 'x', steps: 'ls' }, 'steps: Input should be a valid list'],
    ['record_run', { ...run, success: 'yes' }, 'success: Input should be a valid boolean'],
    ['give_feedback', { enhancement_id: 'e' }, 'success: Field required'],
    ['search_lessons', { limit: 1000 }, 'limit: Input should be less than or equal to 100'],
  ])('tells what is wrong with the arguments of %s: %#', async (name, given, problem) => {
    const { url, key } = await start();
    const { use } = await connect(url, key);

    expect(await use(name, given)).toEqual({
      isError: true,
      text: expect.stringContaining(`The arguments are not valid:\n- ${problem}`),
    });
  });

  it('redacts secrets, also in runs that are read in a thread', async () => {
    const { url, key, uploads, registry } = await start();
    const { use } = await connect(url, key);
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    await use('record_run', { ...run, steps: [{ action: `deploy --key ${secret}` }] });
    await use('record_run', { ...run, steps: [{ action: `deploy --key ${secret}`, result: 'log '.repeat(20_000) }] });

    const recorded = await uploads();
    expect(recorded).toHaveLength(2);
    expect(JSON.stringify(recorded.map(({ upload }) => upload.interaction))).not.toContain(secret);
    expect(await registry.metrics()).toMatch(/whetstone_redactions_total\{kind="\w+"\} [24]/);
  });

  it('knows a run that is recorded again', async () => {
    const { url, key, uploads } = await start();
    const { use } = await connect(url, key);
    await use('record_run', run);
    await use('record_run', run);
    await use('record_run', { ...run, success: !run.success });

    const recorded = await uploads();
    expect(recorded).toHaveLength(3);
    expect(new Set(recorded.map(({ upload }) => upload.bodyDigest)).size).toBe(2);
  });

  it('tells the model of a failure, and counts it as one', async () => {
    const enhance = async () => {
      throw new AppError('internal', 'secret cause');
    };
    const { url, key, registry, printed } = await start({ enhance });
    const { use } = await connect(url, key);

    const { text, isError } = await use('get_recommendations', { task: 'x' });
    expect([text, isError]).toEqual(['No recommendations could be made; carry on without', true]);
    expect(await registry.metrics()).toContain(
      'request_duration_seconds_count{http_request_method="POST",http_route="/mcp/{collection}",http_response_status_code="500"} 1',
    );
    expect(printed()).toContain('An operation failed');
  });

  it('ends a call that takes too long', async () => {
    const timeoutsMs = { store: 50, batch: 50, enhance: 50, status: 50, delete: 50 };
    const { url, key } = await start({ enhance: () => new Promise(() => {}), config: { timeoutsMs } });
    const { use } = await connect(url, key);

    await expect(use('get_recommendations', { task: 'x' })).rejects.toThrow('The call did not finish');
  });

  it('counts the usage of its key', async () => {
    const { url, key, gateway, usageEvents } = await start({ enhance: advice });
    const { use } = await connect(url, key);
    await use('get_recommendations', { task: 'x' });
    await use('record_run', run);
    await use('record_run', {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    await gateway.stop();

    const [usage] = (await usageEvents()).flatMap(({ keys }) => keys);
    expect(usage).toMatchObject({ answers: 1, emptyAnswers: 0, uploads: 1, refusals: 1, bytes: expect.any(Number) });
  });

  it('refuses unknown tools, batches, subscriptions and what is no JSON, without a 500', async () => {
    const { url, key } = await start();
    const { use } = await connect(url, key);
    const post = (body: unknown) => call(url, 'POST', '/mcp/shop', { key, body, headers: accept });

    await expect(use('delete_everything')).rejects.toThrow('No such tool: delete_everything');
    expect(await post('{')).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
    expect(await post([ping])).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    expect(await post('null')).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    expect((await post({ hello: 1 })).status).toBe(400);
    expect((await post({ ...ping, method: 'tools/call', params: 3 })).status).toBeLessThan(500);
    expect((await post({ ...ping, method: 'tools/call', params: null })).status).toBeLessThan(500);
    expect((await post(ping)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listen = { ...ping, method: 'subscriptions/listen', params: { _meta, notifications: {} } };
    const headers = { ...accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const refused = await call(url, 'POST', '/mcp/shop', { key, body: listen, headers });
    expect(refused.body).toMatchObject({ error: expect.anything() });
  });

  it('keeps the checks of every route: key, method, origin, size and rate', async () => {
    const { url, key } = await start({ config: { rate: { perSecond: 0.001, burst: 6 }, maxBodyBytes: 20_000 } });
    const post = (more: object) => call(url, 'POST', '/mcp/shop', { key, body: ping, headers: accept, ...more });

    expect((await post({ key: 'wst_wrong' })).status).toBe(401);
    expect((await call(url, 'GET', '/mcp/shop', { key })).status).toBe(405);
    expect((await call(url, 'DELETE', '/mcp', { key })).status).toBe(405);
    const from = (origin: string) => post({ headers: { ...accept, origin } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from('http://localhost:6274')).status).toBe(200);
    expect((await post({ body: { ...ping, params: { x: 'x'.repeat(30_000) } } })).status).toBe(413);
    expect((await post({})).status).toBe(200);
    expect((await post({})).status).toBe(429);
  });
});
