import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Problem } from './problems.js';
import { always, asWhetstone, type ScriptedServer, startScriptedServer } from './test-kit/scripted-server.js';
import { Whetstone, type WhetstoneOptions } from './whetstone.js';

const unavailable = always(503, { error: 'unavailable', message: 'Later', request_id: 'r' });

let server: ScriptedServer;
let folder: string;
let problems: Problem[];
const open: Whetstone[] = [];

function connect(options: Partial<WhetstoneOptions> = {}): Whetstone {
  const told = problems;
  const onProblem = (problem: Problem) => told.push(problem);
  const client = new Whetstone({
    tenant: 'sky',
    url: server.url,
    key: 'wst_1',
    uploadPauseMs: 5,
    onProblem,
    ...options,
  });
  open.push(client);
  return client;
}

/** Without asking for advice. */
async function upload(client: Whetstone, decision: string): Promise<void> {
  const run = await client.run('');
  run.turn({ inputs: '', decision });
  await run.finish();
}

const decisionsOf = (received: { text: string }[]) => received.map(({ text }) => JSON.parse(text).turns[0].decision);
const keysOf = (received: ScriptedServer['received']) => received.map(({ headers }) => headers['idempotency-key']);

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeEach(async () => {
  server = await startScriptedServer();
  folder = join(await mkdtemp(join(tmpdir(), 'whetstone-client-')), 'queue');
  problems = [];
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close(0)));
  await server.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

describe('uploads', () => {
  it('are repeated with the same key and body until the server takes them, in order', async () => {
    server.script = unavailable;
    const client = connect();
    await upload(client, 'one');
    await upload(client, 'two');
    await until(() => server.uploads().length >= 3);
    server.script = asWhetstone;

    expect(await client.flush(30_000)).toBe(true);
    const received = server.uploads();
    expect(new Set(received.slice(0, -1).map(({ text }) => text)).size).toBe(1);
    expect(new Set(keysOf(received.slice(0, -1))).size).toBe(1);
    expect(decisionsOf(received).slice(-2)).toEqual(['one', 'two']);
    expect(client.counts).toMatchObject({ uploaded: 2, waiting: 0, dropped: 0 });
    expect(problems[0]).toMatchObject({ kind: 'upload', message: expect.stringContaining('503 unavailable') });
  });

  it('wait as long as the server asks', async () => {
    server.script = (request, response) => {
      server.script = asWhetstone;
      always(
        429,
        { error: 'rate_limited', message: 'Slow down', request_id: 'r' },
        { 'retry-after': '1' },
      )(request, response);
    };
    const client = connect();
    await upload(client, 'one');
    await until(() => server.uploads().length === 1);
    // Also if somebody flushes.
    expect(await client.flush(10)).toBe(false);
    await until(() => server.uploads().length === 2);
    const [first, second] = server.uploads();

    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  });

  it.each([
    ['a page', always(200, '<html>Sign in</html>')],
    ['other JSON', always(200, { ok: true })],
    ['a page of a proxy', always(404, '<html>default backend</html>')],
  ])('are repeated if the answer is %s', async (_, script) => {
    server.script = script;
    const client = connect();
    await upload(client, 'one');
    await until(() => server.uploads().length >= 2);

    expect(client.counts).toMatchObject({ uploaded: 0, waiting: 1, dropped: 0 });
  });

  it('that the server finds invalid are dropped, counted and told, and the next is sent', async () => {
    server.script = always(422, { detail: [{ loc: ['body', 'tenant_id'], msg: 'too long', type: 'string_too_long' }] });
    const client = connect();
    await upload(client, 'one');
    await until(() => client.counts.dropped === 1);
    server.script = asWhetstone;
    await upload(client, 'two');
    await client.flush(30_000);

    expect(client.counts).toMatchObject({ uploaded: 1, waiting: 0, dropped: 1 });
    expect(problems).toMatchObject([{ kind: 'lost', message: expect.stringContaining('body.tenant_id: too long') }]);
  });

  it('with a key that is refused are given up after some attempts, and told as a matter of the key', async () => {
    server.script = always(401, { error: 'invalid_api_key', message: 'The key is invalid', request_id: 'r' });
    const client = connect();
    await upload(client, 'one');
    await upload(client, 'two');
    await until(() => client.counts.dropped === 2);

    expect(keysOf(server.uploads())).toHaveLength(6);
    expect(problems[0]).toMatchObject({ kind: 'key', message: expect.stringContaining('Check WHETSTONE_KEY') });
  });

  it('that the server fails at for reasons of its own are given up after some attempts', async () => {
    server.script = unavailable;
    const client = connect();
    await upload(client, 'one');
    await until(() => client.counts.retried >= 5);
    server.script = always(500, { error: 'internal_error', message: 'Sorry', request_id: 'r' });
    const before = client.counts.retried;
    await until(() => client.counts.dropped === 1);

    // Not counting those before, which were no fault of this upload. One may be under way.
    expect(client.counts.retried - before).toBeGreaterThanOrEqual(4);
  });

  it('beyond the limits push out the oldest, in number and in bytes', async () => {
    server.script = () => {};
    const [few, small] = [connect({ maxQueuedRuns: 2 }), connect({ maxQueuedBytes: 3000 })];
    for (const decision of ['one', 'two', 'three', 'four', 'five']) {
      await upload(few, decision);
      await upload(small, decision.repeat(200));
    }

    // One more is under way.
    expect(few.counts).toMatchObject({ waiting: 3, dropped: 2 });
    expect(small.counts.dropped).toBeGreaterThan(1);
    expect(small.counts.waiting + small.counts.dropped).toBe(5);
    expect(problems.at(-1)).toMatchObject({ kind: 'lost', message: expect.stringContaining('the queue is full') });
  });

  it('that wait in memory when the client is closed are dropped and told', async () => {
    server.script = unavailable;
    const client = connect({ uploadPauseMs: 60_000 });
    await upload(client, 'one');
    await until(() => problems.length > 0);
    await upload(client, 'two');
    await client.close(0);
    expect(problems.at(-1)).toEqual({ kind: 'lost', message: 'closed with 2 uploads dropped in all', isLast: true });
    await upload(client, 'three');

    expect(client.counts).toMatchObject({ waiting: 0, dropped: 3 });
  });

  it('of one millisecond go from the folder in the order they came', async () => {
    const { now } = Date;
    const then = now();
    Date.now = () => then;
    try {
      server.script = unavailable;
      const first = connect({ queueFolder: folder, uploadPauseMs: 60_000 });
      const decisions = Array.from({ length: 12 }, (_, index) => `decision ${index}`);
      for (const decision of decisions) await upload(first, decision);
      await first.close(0);
      server.script = asWhetstone;
      const next = connect({ queueFolder: folder });
      await until(() => next.counts.uploaded === decisions.length);

      expect(decisionsOf(server.uploads()).slice(-decisions.length)).toEqual(decisions);
    } finally {
      Date.now = now;
    }
  });

  it('wait in the folder for the next client, readable to their owner alone', async () => {
    server.script = unavailable;
    const first = connect({ queueFolder: folder });
    await upload(first, 'one');
    await upload(first, 'two');
    const names = await readdir(folder);
    await first.close(0);
    server.script = asWhetstone;
    server.received = [];
    const next = connect({ queueFolder: folder });

    expect(await next.flush(30_000)).toBe(true);
    expect(names).toHaveLength(2);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(decisionsOf(server.uploads()).slice(-2)).toEqual(['one', 'two']);
    expect(await readdir(folder)).toEqual([]);
    expect(first.counts.dropped + next.counts.dropped).toBe(0);
  });

  it('that are still being written to the folder are flushed, too', async () => {
    const client = connect({ queueFolder: folder });
    await client.flush(30_000);
    const run = await client.run('');
    run.succeeded = true;
    void run.finish();

    expect(await client.flush(30_000)).toBe(true);
    expect(client.counts.uploaded).toBe(1);
  });

  it('are not held up by files that are not theirs, cannot be read or were left half-written', async () => {
    const left = join(folder, '0-a.upload.json.part');
    await mkdir(join(folder, '0-b.upload.json'), { recursive: true });
    await writeFile(join(folder, 'ü.upload.json'), '{}');
    await writeFile(left, '{');
    await utimes(left, 0, 0);
    const client = connect({ queueFolder: folder });
    await upload(client, 'one');

    expect(await client.flush(30_000)).toBe(true);
    expect(decisionsOf(server.uploads())).toEqual(['one']);
    expect(await readdir(folder)).toEqual(['0-b.upload.json', 'ü.upload.json']);
    expect(problems).toMatchObject([{ kind: 'folder', message: expect.stringContaining('cannot be read') }]);
  });

  it('wait in memory if the folder cannot be used', async () => {
    const client = connect({ queueFolder: '/dev/null/queue' });
    await upload(client, 'one');

    expect(await client.flush(30_000)).toBe(true);
    expect(problems).toMatchObject([{ kind: 'folder', message: expect.stringContaining('/dev/null/queue') }]);
  });
});

/** A program with this client in a process of its own. */
function start(program: string) {
  const prelude = `import { Whetstone } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)};
    const connect = (options) => new Whetstone({ tenant: 'sky', url: '${server.url}', key: 'wst_1', ...options });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', prelude + program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  return { child, ended: once(child, 'close').then(() => printed) };
}

const oneRun = `const run = await client.run(''); run.turn({ inputs: '', decision: 'one' }); await run.finish();`;

describe('a process', () => {
  it('killed in the midst of an upload leaves it to the next, which repeats the key and the body', async () => {
    server.script = () => {};
    const program = `const client = connect({ queueFolder: '${folder}' });`;
    const first = start(program + oneRun);
    await until(() => server.uploads().length === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    server.script = asWhetstone;
    expect(await start(`${program} await client.close(30_000);`).ended).toBe('');
    const [before, after, ...others] = server.uploads();

    expect(after?.text).toBe(before?.text);
    expect(after?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
    expect(others).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends by itself once the server has everything, though nobody waits for it', async () => {
    const { ended } = start(`const client = connect({}); ${oneRun}`);

    expect(await ended).toBe('');
    expect(server.uploads()).toHaveLength(1);
  });

  it('ends without waiting for a server that is away, and says what is lost', async () => {
    server.script = unavailable;
    const { ended } = start(`const client = connect({ uploadPauseMs: 600_000 }); ${oneRun}`);

    expect(await ended).toMatch(/retried, 1 waiting.*\n.*ends with 1 uploads in memory, which are lost/);
  });
});
