import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Operations, type Problem, type Run, Whetstone } from '@whetstone/client';

import { type Account, createAccounts, keyCounts, unique } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
import { agentTrace, exportOf } from '../../support/otlp.js';
import { projectFolder } from '../../support/product.js';
import { target } from '../../support/target.js';
import { lessons } from '../../support/uploads.js';

const accounts = createAccounts();
const url = target().baseUrl;
let account: Account;
let problems: Problem[];
let client: Whetstone;

/** Patient: on a busy machine a server takes more than two seconds. */
const connect = (key: string) =>
  new Whetstone({
    tenant: unique('client'),
    agentType: 'shell',
    url,
    key,
    adviceTimeoutMs: 60_000,
    uploadTimeoutMs: 60_000,
    onProblem: (problem) => problems.push(problem),
  });

beforeAll(async () => {
  account = await accounts.open();
});

beforeEach(() => {
  problems = [];
  client = connect(account.key);
});

afterEach(() => client.close());

/** Works on a task, and waits until it is uploaded and learnt from. */
async function teach(task: string, command: string): Promise<Run> {
  const run = await client.run(task);
  run.turn({ inputs: run.task, decision: command, result: 'exit code 0' });
  run.succeeded = true;
  await run.finish();
  expect(await client.flush(60_000)).toBe(true);
  const { jobId = '' } = run;
  expect(await client.getKnowledgeStatus(jobId, { wait: 30 })).toMatchObject({ status: 'completed' });
  return run;
}

describe('the TypeScript client', () => {
  it('has types that are made from the description of this server', async () => {
    const script = join(projectFolder, 'clients/typescript/bin/generate-types.mjs');

    await promisify(execFile)(process.execPath, [script, url, '--check']);
  });

  it('has a method for each operation', async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const described = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    const methods = Object.getOwnPropertyNames(Operations.prototype).filter((name) => name !== 'constructor');

    expect(methods.sort()).toEqual(described.sort());
  });

  it('uploads a run, and its lesson comes back at the next task, which cites it', async () => {
    const { task, command, asked } = lessons.logs;
    const first = await teach(task, command);
    const second = await teach(asked, command);
    const { lessons: told } = await client.listLessons();

    expect(first.task).toBe(task);
    expect(second.task).toMatch(/^Under \/var.*\n\n--- Recommendations from past runs ---\n/);
    expect(second.advice).toContain(command);
    // The second run was told the lesson and succeeded.
    expect(told[0]).toMatchObject({ helped: 1, harmed: 0 });
    expect(client.counts).toMatchObject({ advised: 2, away: 0, uploaded: 2, dropped: 0 });
    expect(problems).toEqual([]);
  });

  it('uploads a run of 10,000 large turns, shortened to what the server takes', async () => {
    await client.run(lessons.ports.task, (run) => {
      for (let turn = 0; turn < 10_000; turn++) run.turn({ inputs: 'é"\n'.repeat(500), decision: `ls ${turn}` });
      run.turn({ inputs: `${'x'.repeat(99_999)}\ud83d`, decision: lessons.ports.command });
    });

    expect(await client.flush(60_000)).toBe(true);
    expect(client.counts).toMatchObject({ uploaded: 1, dropped: 0, valuesShortened: 1 });
    expect(problems).toMatchObject([{ kind: 'record' }]);
  });

  it('calls every operation', async () => {
    const { task, command } = lessons.sql;
    const admin = connect((await accounts.open(account.account, ' --scope admin')).key);
    const { job_id } = await client.storeKnowledge({
      query: task,
      turns: [{ turn: 1, inputs: task, decision: { name: 'sql', arguments: { query: command } }, result: '3 rows' }],
      success: true,
    });
    expect(await client.getKnowledgeStatus(job_id, { wait: 30 })).toMatchObject({ status: 'completed' });
    const batch = await client.storeKnowledgeBatch([{ query: task, turns: [], success: true }]);
    expect(batch).toMatchObject({ lines: 1, accepted: 1 });
    expect(await client.storeTraces(exportOf(agentTrace({ task, commands: ['ls'] })))).toEqual({});
    const { metadata } = await client.enhanceTask({ input_text: task, explain: true });
    const feedback = await client.giveFeedback({ enhancement_id: metadata.enhancement_id, success: true });
    expect(feedback).toMatchObject({ counted: true });
    expect(await client.getServiceStatus()).toMatchObject({ status: 'ok' });
    expect(await client.getRun(job_id)).toMatchObject({ job_id, status: 'completed' });
    expect((await client.listRuns({ success: true })).runs.length).toBeGreaterThan(0);
    const written = await client.writeLesson({ applies_when: task, text: 'Leave test customers out.' });
    expect(await client.changeLesson(written.id, { state: 'muted' })).toMatchObject({ state: 'muted' });
    expect(await client.getLesson(written.id)).toMatchObject({ id: written.id, state: 'muted' });
    expect((await client.listLessons({ state: 'muted' })).lessons).toHaveLength(1);
    expect(await client.deleteLesson(written.id)).toMatchObject({ deleted_count: 1 });
    expect(await client.deleteByIntent({ intent: task, dry_run: true })).toHaveProperty('matches');
    expect(await client.changeCollection({ review: 'required' })).toMatchObject({ review: 'required' });
    const { collections } = await client.listCollections();
    expect(collections.map(({ tenant_id }) => tenant_id)).toContain(client.tenant);
    expect(await client.getUplift()).toHaveProperty('with');
    const issued = await admin.issueKey({ scopes: ['ask'], reason: 'test' });
    // Until every gateway knows of it.
    await keyCounts(url, issued.key, true);
    expect((await admin.listKeys()).keys.map(({ key_id }) => key_id)).toContain(issued.key_id);
    expect(await admin.revokeKey(issued.key_id, { reason: 'test' })).toMatchObject({ status: 'revoked' });
    expect((await admin.listAudit({ limit: 1 })).entries).toHaveLength(1);
    expect(await admin.getUsage({ days: 1 })).toHaveProperty('days');
    expect(await client.eraseCollection({ tenant_id: client.tenant, confirm: client.tenant })).toHaveProperty('status');
  });

  it('says what the server says is wrong', async () => {
    const stranger = connect('wst_wrong');

    expect(await stranger.run(lessons.ports.task, (run) => run.task)).toBe(lessons.ports.task);
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'key' }));
    await expect(stranger.listLessons()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      retryable: false,
    });
    await expect(client.listKeys()).rejects.toMatchObject({ status: 403, code: 'scope_missing' });
    await expect(client.getRun('job_unknown')).rejects.toMatchObject({ status: 404 });
    await expect(client.listLessons({ limit: -1 })).rejects.toMatchObject({ status: 422, code: 'invalid' });
    await stranger.close(0);
  });

  it('killed in the midst of an upload goes on in the next process, and nothing is doubled', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-client-'));
    const proxy = await startProxy();
    const program = `
      import { Whetstone } from '@whetstone/client';
      const client = new Whetstone({ tenant: '${client.tenant}', url: '${proxy.url}', key: '${account.key}',
        queueFolder: '${folder}', uploadTimeoutMs: 60_000 });`;
    const run = `const run = await client.run(''); run.turn({ inputs: 'a', decision: 'ls' }); await run.finish();`;
    const start = (text: string) =>
      spawn(process.execPath, ['--input-type=module', '--eval', text], { cwd: projectFolder, stdio: 'inherit' });
    try {
      proxy.answers = false;
      const first = start(program + run);
      await eventually(() => proxy.jobs[0], { what: 'the server has the upload' });
      first.kill('SIGKILL');
      await once(first, 'exit');
      const left = await readdir(folder);
      proxy.answers = true;
      await once(start(`${program} await client.close(60_000);`), 'exit');

      expect(left).toHaveLength(1);
      expect(await readdir(folder)).toEqual([]);
      expect(proxy.jobs).toEqual([proxy.jobs[0], proxy.jobs[0]]);
    } finally {
      proxy.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Passes requests on, but may keep the answers: then the server has the upload, and the client does not know. */
async function startProxy() {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const kept = ['x-api-key', 'content-type', 'idempotency-key'].map((name) => [name, String(headers[name])]);
    const answer = await fetch(url + path, { method, headers: Object.fromEntries(kept), body });
    const text = await answer.text();
    proxy.jobs.push((JSON.parse(text) as { job_id: string }).job_id);
    if (proxy.answers) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: true,
    jobs: [] as string[],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}
