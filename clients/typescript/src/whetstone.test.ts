import type { Problem } from './problems.js';
import {
  adviceLines,
  always,
  asWhetstone,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from './test-kit/scripted-server.js';
import { Whetstone, type WhetstoneOptions } from './whetstone.js';
import { WhetstoneError } from './whetstone-error.js';

const task = 'Count the stars';
const refusal = {
  error: 'invalid_api_key',
  message: 'The provided API key is invalid or has been revoked',
  request_id: 'r',
};

/** On a busy machine. */
const patientMs = 30_000;

let server: ScriptedServer;
let problems: Problem[];
const open: Whetstone[] = [];

function connect(options: Partial<WhetstoneOptions> = {}): Whetstone {
  const told = problems;
  const onProblem = (problem: Problem) => told.push(problem);
  const client = new Whetstone({
    tenant: 'sky',
    agentType: 'sql',
    adviceTimeoutMs: patientMs,
    url: server.url,
    key: 'wst_1',
    onProblem,
    ...options,
  });
  open.push(client);
  return client;
}

/** What is written to `console.warn` meanwhile. */
async function warnings(work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const { warn } = console;
  console.warn = (...said: unknown[]) => lines.push(said.join(' '));
  await work().finally(() => {
    console.warn = warn;
  });
  return lines;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeEach(async () => {
  server = await startScriptedServer();
  problems = [];
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close(0)));
  await server.close();
});

describe('a run', () => {
  it('gets the task with recommendations, and is uploaded with what happened and what it was told', async () => {
    const client = connect();
    const answer = await client.run(task, { context: { sky: 'night' }, metadata: { model: 'm' } }, async (run) => {
      expect(run.task).toBe(`${task}\n\n${adviceLines}`);
      expect(run.advice).toBe(adviceLines);
      expect(run.recommendations).toHaveLength(1);
      run.turn({ inputs: run.task, decision: 'SELECT COUNT(*) FROM stars', result: '6000' });
      run.succeeded = true;
      return 6000;
    });
    expect(await client.flush(patientMs)).toBe(true);
    const [asked, uploaded] = server.received;

    expect(answer).toBe(6000);
    expect(JSON.parse(asked?.text ?? '')).toEqual({
      tenant_id: 'sky',
      input_text: task,
      agent_type: 'sql',
      context: { sky: 'night' },
    });
    expect(asked?.headers['x-api-key']).toBe('wst_1');
    expect(uploaded?.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{20,255}$/);
    expect(JSON.parse(uploaded?.text ?? '')).toEqual({
      tenant_id: 'sky',
      query: task,
      agent_type: 'sql',
      success: true,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      metadata: { model: 'm', enhancement_id: 'enh_1' },
      turns: [{ turn: 1, inputs: task, decision: 'SELECT COUNT(*) FROM stars', result: '6000' }],
    });
    expect(client.counts).toMatchObject({ advised: 1, away: 0, uploaded: 1, waiting: 0, dropped: 0 });
    expect(problems).toEqual([]);
  });

  it('that throws is uploaded as failed, and the error is thrown on', async () => {
    const client = connect();
    const failing = client.run(task, (run) => {
      run.succeeded = true;
      throw new RangeError('no such star');
    });

    await expect(failing).rejects.toThrow(new RangeError('no such star'));
    await client.flush(patientMs);
    expect(JSON.parse(server.uploads()[0]?.text ?? '')).toMatchObject({
      success: false,
      metadata: { error: 'RangeError: no such star' },
      turns: [],
    });
  });

  it('without a callback is uploaded once, when it is finished', async () => {
    const client = connect();
    const run = await client.run(task);
    run.turn({ inputs: task, decision: 'SELECT 1' });
    await run.finish();
    run.turn({ inputs: task, decision: 'SELECT 2' });
    await run.finish();
    await run[Symbol.asyncDispose]();
    await client.flush(patientMs);

    expect(server.uploads()).toHaveLength(1);
    const upload = JSON.parse(server.uploads()[0]?.text ?? '');
    expect(upload.turns).toHaveLength(1);
    expect(upload).not.toHaveProperty('success');
  });

  it('of 10,000 large turns is uploaded within the limits, and says what is missing', async () => {
    const client = connect();
    await client.run(task, (run) => {
      for (let turn = 0; turn < 10_000; turn++) run.turn({ inputs: 'é'.repeat(2000), decision: `look ${turn}` });
      run.turn({ inputs: 'x'.repeat(100_000), decision: 'stop' });
    });
    await client.flush(patientMs);
    const [{ text } = { text: '' }] = server.uploads();
    const { metadata, turns } = JSON.parse(text);

    expect(Buffer.byteLength(text)).toBeLessThan(4 * 1024 * 1024);
    expect(turns.at(-1)).toMatchObject({ turn: 10_001, decision: 'stop' });
    expect(metadata.shortened).toEqual({ values_shortened: 1, turns_left_out: 10_001 - turns.length });
    expect(client.counts).toMatchObject({ valuesShortened: 1, turnsLeftOut: 10_001 - turns.length });
    expect(problems).toMatchObject([{ kind: 'record' }]);
  });

  it('is uploaded although an adapter fails or its metadata has no JSON, and late turns are told', async () => {
    const client = connect();
    const metadata = Object.defineProperty({}, 'count', { enumerable: true, get: () => JSON.parse('none') });
    const run = await client.run(task, { metadata: { metadata } });
    run.beforeFinish(() => {
      throw new Error('adapter');
    });
    run.succeeded = true;
    await run.finish();
    run.turn({ inputs: '', decision: 'late' });
    await client.flush(patientMs);

    expect(JSON.parse(server.uploads()[0]?.text ?? '')).toMatchObject({
      metadata: { enhancement_id: 'enh_1' },
      turns: [],
    });
    expect(problems.map(({ kind }) => kind)).toEqual(['record', 'record', 'record']);
  });

  it('of a conversation is recorded from its messages', async () => {
    const client = connect();
    const run = await client.run(task);
    run.messages([
      { role: 'user', content: run.task },
      { role: 'assistant', content: 'SELECT COUNT(*) FROM stars' },
    ]);
    await run.finish();
    await client.flush(patientMs);

    const [upload] = server.uploads();
    expect(JSON.parse(upload?.text ?? '').turns).toEqual([
      { turn: 1, inputs: task, decision: 'SELECT COUNT(*) FROM stars' },
    ]);
    expect(run.jobId).toBe('job_1');
  });

  it('is uploaded with metadata that the server takes, whatever it was given', async () => {
    for (const metadata of [{ half: '\ud800', count: 10n }, { long: 'x'.repeat(5_000_000) }]) {
      const run = await connect().run('', { metadata });
      run.succeeded = true;
      await run.finish();
    }
    await until(() => server.uploads().length === 2);

    expect(server.uploads().map(({ text }) => JSON.parse(text).metadata)).toEqual([
      { half: '\ufffd', count: '10' },
      { left_out: '5000011 characters of metadata' },
    ]);
  });

  it('that is aborted has not failed, and whatever is thrown is thrown on', async () => {
    const client = connect();
    for (const thrown of [new DOMException('enough', 'AbortError'), Object.create(null), undefined]) {
      const caught = await client.run('', () => Promise.reject(thrown)).catch((error: unknown) => error);
      expect(caught).toBe(thrown);
    }
    await client.flush(patientMs);

    // The first has neither turns nor an outcome.
    expect(server.uploads().map(({ text }) => JSON.parse(text).success)).toEqual([false, false]);
  });

  it('is not broken by messages of any kind', async () => {
    const run = await connect().run('');
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'count', input: { stars: 10n } };
    for (const messages of [null, [null], [{ role: 'assistant', content: [call] }]]) run.messages(messages as object[]);
    await run.finish();
    await until(() => server.uploads().length === 1);

    expect(JSON.parse(server.uploads()[0]?.text ?? '').turns).toMatchObject([
      { decision: expect.stringContaining('"10"') },
    ]);
    expect(problems).toMatchObject([{ kind: 'record' }]);
  });

  it('on a task that is long or has half a character asks about what the server takes of it', async () => {
    for (const long of ['x'.repeat(300_000), 'a \ud800']) {
      const run = await connect().run(long, { context: { fact: 'x'.repeat(300_000) } });
      expect(run.task).toBe(`${long}\n\n${adviceLines}`);
    }

    expect(server.received.map(({ text }) => text.length < 60_000)).toEqual([true, true]);
    expect(JSON.parse(server.received[1]?.text ?? '').input_text).toBe('a \ufffd');
  });

  it('of which nothing is known is not uploaded, and told', async () => {
    const client = connect();
    await client.run(task, () => {});
    await client.flush(patientMs);

    expect(server.uploads()).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'record', message: expect.stringContaining('call run.turn()') }]);
  });

  it('reads the address and the key from the environment', async () => {
    const { WHETSTONE_URL, WHETSTONE_KEY } = process.env;
    Object.assign(process.env, { WHETSTONE_URL: `${server.url}/`, WHETSTONE_KEY: 'wst_env' });
    const client = new Whetstone({ tenant: 'sky', adviceTimeoutMs: patientMs });
    for (const [name, value] of Object.entries({ WHETSTONE_URL, WHETSTONE_KEY })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    open.push(client);
    await client.run(task);

    expect(server.received).toMatchObject([{ path: '/enhance_task', headers: { 'x-api-key': 'wst_env' } }]);
  });
});

/** Each: how the server answers, and what the agent's owner is told. */
const failures: Record<string, { script: Script; kind?: Problem['kind']; says: RegExp; adviceTimeoutMs?: number }> = {
  'answers 500': {
    script: always(500, { error: 'enhance_failed', message: 'No', request_id: 'r' }),
    says: /enhance_failed/,
  },
  'answers after 30 seconds': {
    script: (_, response) => void setTimeout(() => response.end(), 30_000).unref(),
    says: /within 200 ms/,
    adviceTimeoutMs: 200,
  },
  'begins to answer and stops': {
    script: (_, response) => void response.writeHead(200).write('{'),
    says: /within 200 ms/,
    adviceTimeoutMs: 200,
  },
  'hangs up': { script: (_, response) => void response.destroy(), says: /fetch failed/ },
  'refuses the key': { script: always(401, refusal), kind: 'key', says: /invalid_api_key.*Check WHETSTONE_KEY/ },
  'refuses the tenant': {
    script: always(403, { ...refusal, error: 'tenant_forbidden' }),
    kind: 'key',
    says: /tenant_forbidden/,
  },
  'limits the rate': {
    script: always(429, { ...refusal, error: 'rate_limited' }, { 'retry-after': '60' }),
    says: /rate_limited/,
  },
  'is a proxy with a page': {
    script: always(502, '<html>Bad gateway</html>'),
    says: /502, not an answer from Whetstone/,
  },
  'is a portal with a page': { script: always(200, '<html>Sign in</html>'), says: /200, not an answer from Whetstone/ },
  'answers with other JSON': { script: always(200, { hello: 'world' }), says: /not an answer from Whetstone/ },
  'answers with a list': { script: always(200, []), says: /not an answer from Whetstone/ },
  redirects: { script: always(302, '', { location: 'http://127.0.0.1:1/' }), says: /a redirect/ },
  'changes the task': {
    script: always(200, { response: 'Do something else', metadata: { enhancement_id: 'e', recommendations: [] } }),
    says: /not an answer from Whetstone/,
  },
};

describe('a server that', () => {
  it.each(Object.entries(failures))(
    '%s costs the agent at most the time limit, once',
    async (_, { script, kind = 'advice', says, adviceTimeoutMs = patientMs }) => {
      server.script = script;
      // Counted where they are sent: on a busy machine they may arrive after the time limit.
      const asked: string[] = [];
      const counted: typeof fetch = (address, init) => {
        if (String(address).endsWith('/enhance_task')) asked.push(String(address));
        return fetch(address, init);
      };
      const client = connect({ adviceTimeoutMs, fetch: counted });
      const first = await client.run(task, (run) => run.task);
      const second = await client.run(task, (run) => run.task);

      expect([first, second]).toEqual([task, task]);
      expect(asked).toHaveLength(1);
      expect(problems[0]).toMatchObject({ kind, message: expect.stringMatching(says) });
      expect(client.counts).toMatchObject({ advised: 0, away: 2 });
    },
  );

  it('is away costs nothing but the recommendations', async () => {
    await server.close();
    const client = connect();

    expect(await client.run(task, (run) => run.task)).toBe(task);
    expect(problems[0]).toMatchObject({ kind: 'advice', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('comes back is asked again after a pause', async () => {
    server.script = always(500, {});
    const client = connect({ coolDownMs: 50 });
    await client.run(task, () => {});
    server.script = asWhetstone;
    let told = '';
    while (told === '') told = await client.run(task, (run) => run.advice);

    expect(told).toBe(adviceLines);
  });

  it('dislikes one task is asked about the next', async () => {
    server.script = always(422, {
      detail: [{ loc: ['body', 'input_text'], msg: 'too long', type: 'string_too_long' }],
    });
    const client = connect();
    await client.run(task, () => {});
    server.script = asWhetstone;

    expect(await client.run(task, (run) => run.advice)).toBe(adviceLines);
    expect(problems[0]).toMatchObject({
      kind: 'advice',
      message: expect.stringContaining('body.input_text: too long'),
    });
  });

  it('fails is told about in one line a minute if nobody listens', async () => {
    server.script = always(422, { detail: [] });
    const client = new Whetstone({ tenant: 'sky', url: server.url, adviceTimeoutMs: patientMs });
    const lines = await warnings(async () => {
      for (let times = 0; times < 5; times++) await client.run(task);
    });

    expect(lines).toEqual([expect.stringMatching(/^Whetstone: no recommendations: /)]);
  });

  it('fails does not fail the agent through a listener that throws', async () => {
    server.script = always(500, {});
    const throwing = () => {
      throw new Error('listener');
    };
    const client = connect({ onProblem: throwing });
    const lines = await warnings(async () => {
      expect(await client.run(task, (run) => run.task)).toBe(task);
      await client.close(0);
    });

    expect(lines[0]).toContain('onProblem threw');
  });
});

describe('an operation', () => {
  it.each([
    [401, refusal, { code: 'invalid_api_key', retryable: false, refused: true }],
    [
      422,
      { detail: [{ loc: ['body', 'turns'], msg: 'Field required', type: 'missing' }] },
      { code: 'invalid', retryable: false },
    ],
    [429, { ...refusal, error: 'rate_limited' }, { code: 'rate_limited', retryable: true, retryAfterMs: 7000 }],
    [500, { ...refusal, error: 'queueing_failed' }, { code: 'queueing_failed', retryable: true }],
    [404, { ...refusal, error: 'job_not_found' }, { code: 'job_not_found', status: 404 }],
    [502, '<html>', { code: 'unexpected_answer', retryable: true, status: 502 }],
  ])('that is answered with %i throws an error that says so', async (status, body, expected) => {
    server.script = always(status, body, {
      'x-request-id': 'r',
      ...([429, 500].includes(status) ? { 'retry-after': '7' } : {}),
    });
    const error = await connect()
      .listLessons()
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(WhetstoneError);
    expect(error).toMatchObject({ status, requestId: 'r', ...expected });
  });

  it('can be aborted', async () => {
    server.script = () => {};
    const signal = AbortSignal.timeout(20);

    await expect(connect().getServiceStatus({ signal })).rejects.toMatchObject({ code: 'aborted', retryable: false });
  });

  it('sends what it is given, and the tenant of the client unless another is named', async () => {
    server.script = always(200, {});
    const client = connect();
    await client.deleteByIntent({ intent: 'count stars', dry_run: true });
    await client.changeLesson('a/b', { state: 'muted', tenant_id: 'sea' });
    await client.storeKnowledgeBatch([{ query: task, turns: [] }], { idempotencyKey: 'k' });

    expect(server.received).toMatchObject([
      { method: 'POST', path: '/delete_by_intent?intent=count+stars&dry_run=true&tenant_id=sky', text: '' },
      { method: 'PATCH', path: '/lessons/a%2Fb?tenant_id=sea', text: '{"state":"muted"}' },
      { headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' } },
    ]);
  });

  it.each(['wst_secret\nline', 'wst_secret…'])('does not quote a key that cannot be sent: %j', async (key) => {
    const url = server.url.replace('//', '//me:hunter2@');
    const failures = [connect({ key }).getServiceStatus(), connect({ url }).getServiceStatus()];
    const messages = (await Promise.allSettled(failures)).map((settled) =>
      String((settled as { reason?: unknown }).reason),
    );

    expect(messages).toEqual([expect.stringContaining('the key has'), expect.stringContaining('credentials')]);
    expect(messages.join()).not.toMatch(/wst_secret|hunter2/);
  });

  it('does not show the key when the client is printed', async () => {
    const { inspect } = await import('node:util');

    expect(inspect(connect(), { depth: 9, showHidden: true }) + JSON.stringify(connect())).not.toContain('wst_1');
  });
});
