import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { projectFolder } from '../support/product.js';
import { target } from '../support/target.js';
import { type WhetstoneCommand, whetstoneCommand } from '../support/whetstone-command.js';

const run = promisify(execFile);
const accounts = createAccounts();
const program = join(projectFolder, 'services/cli/bin/whetstone.mjs');
const task = 'Run the tests of the payment module and repair what fails';
const decisive = 'npm test --workspace payments';
/** A hook takes two seconds at most once it runs, but a busy machine may start it late; agents wait a minute. */
const limitMs = 20_000;

let account: Account;
let home: string;
let repo: string;
let collection: string;
let env: Record<string, string>;
let whetstone: WhetstoneCommand;

beforeEach(async () => {
  account = await accounts.open();
  home = await mkdtemp(join(tmpdir(), 'whetstone-home-'));
  repo = await mkdtemp(join(tmpdir(), 'whetstone-repo-'));
  collection = `acme/${unique('shop')}`;
  await run('git', ['init', '-q', repo]);
  await run('git', ['-C', repo, 'remote', 'add', 'origin', `git@example.org:${collection}.git`]);
  env = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const connection = { WHETSTONE_URL: target().baseUrl, WHETSTONE_KEY: account.key };
  whetstone = whetstoneCommand({ ...env, ...connection });
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await rm(repo, { recursive: true });
});

interface Hooked {
  code: number | null;
  stdout: string;
  stderr: string;
  tookMs: number;
}

/** Runs a hook as an agent does: a command for the shell, with JSON on standard input. */
function hook(command: string, input: object | string, more: Record<string, string> = {}): Promise<Hooked> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('/bin/sh', ['-c', command], { env: { ...env, ...more } });
    const hooked: Hooked = { code: null, stdout: '', stderr: '', tookMs: 0 };
    child.stdout.on('data', (chunk) => {
      hooked.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      hooked.stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...hooked, code, tookMs: performance.now() - started }));
    child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  });
}

/** The command that `connect` wrote for an event. */
async function commandFor(settings: string, event: string): Promise<string> {
  const { hooks } = JSON.parse(await readFile(join(home, settings), 'utf8'));
  return hooks[event][0].hooks[0].command;
}

const prompt = (text: string) => ({ session_id: 's1', cwd: repo, hook_event_name: 'UserPromptSubmit', prompt: text });
const stateFile = (name: string) => readFile(join(home, '.local/state/whetstone', name), 'utf8');
const upload = () =>
  eventually(
    async () => {
      try {
        return JSON.parse(await stateFile('last-upload.json')) as { ok: boolean; collection: string; detail: string };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    { what: 'the run is uploaded', everyMs: 100 },
  );

const claudeCode = [
  { type: 'summary', summary: 'Payments' },
  { type: 'user', timestamp: '2026-01-05T10:00:00.000Z', message: { role: 'user', content: task } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: decisive } }],
    },
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'All tests passed' }] },
  },
];
const codex = [
  { type: 'session_meta', payload: { id: 's1' } },
  {
    timestamp: '2026-01-05T10:00:00.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: task }] },
  },
  {
    type: 'response_item',
    payload: {
      type: 'function_call',
      call_id: 'a',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: decisive }),
    },
  },
  { type: 'response_item', payload: { type: 'function_call_output', call_id: 'a', output: 'All tests passed' } },
];

it.each([
  { agent: 'claude-code', settings: '.claude/settings.json', entries: claudeCode },
  { agent: 'codex', settings: '.codex/hooks.json', entries: codex },
])(
  'a run of $agent is uploaded, and its lesson comes back at the next prompt',
  async ({ agent, settings, entries }) => {
    await whetstone.ask('connect', agent, '--yes');
    const ask = await commandFor(settings, 'UserPromptSubmit');
    const end = await commandFor(settings, 'Stop');
    expect(await hook(ask, prompt(task))).toMatchObject({ code: 0, stdout: '', stderr: '' });

    const transcript = join(home, 'transcript.jsonl');
    await writeFile(transcript, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const ended = await hook(end, {
      session_id: 's1',
      cwd: repo,
      hook_event_name: 'Stop',
      transcript_path: transcript,
    });
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await upload()).toMatchObject({ ok: true, collection, detail: '1 run; 1 of 4 entries skipped' });

    const advice = await eventually(async () => (await hook(ask, prompt(`${task}, please`))).stdout || undefined, {
      what: 'the lesson comes back',
      everyMs: 200,
    });
    expect(JSON.parse(advice)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining(decisive),
      },
    });

    // Another stop of the same session uploads nothing twice.
    const runs = () =>
      account.client.request<{ runs: object[] }>('GET', `/runs?tenant_id=${encodeURIComponent(collection)}`);
    await hook(end, { session_id: 's1', cwd: repo, hook_event_name: 'Stop', transcript_path: transcript });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect((await runs()).body.runs).toHaveLength(1);

    const { ok, checks } = await whetstone.ask<{ ok: boolean; checks: { name: string }[] }>('doctor');
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['address', 'key', 'scope ask', 'scope record', 'last advice', 'last upload']),
    );
  },
);

describe('a hook ends in time with exit code 0, and says in the log what was wrong', () => {
  const ask = `"${process.execPath}" "${program}" hook prompt --agent claude-code`;

  it('when the server is away', async () => {
    const hooked = await hook(ask, prompt(task), { WHETSTONE_URL: 'http://127.0.0.1:1', WHETSTONE_KEY: 'wst_x' });

    expect(hooked).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(hooked.tookMs).toBeLessThan(limitMs);
    expect(await stateFile('hooks.log')).toMatch(/hook prompt of claude-code: (?:bad port|connect ECONNREFUSED)/);
  });

  it('when the server does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

    const idle = await hook(ask, 'no question');
    const hooked = await hook(ask, prompt(task), { WHETSTONE_URL: url, WHETSTONE_KEY: 'wst_x' });
    silent.closeAllConnections();
    silent.close();

    expect(hooked).toMatchObject({ code: 0, stdout: '', stderr: '' });
    // It gives up after less than two seconds; starting it takes as long as for one that waits for nobody, or a bit more.
    expect(hooked.tookMs).toBeLessThan(2000 + 3 * idle.tookMs);
    expect(await stateFile('hooks.log')).toContain('no answer in time');
    const doctor = await whetstone.run('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/last advice +WRONG/);
  });

  it.each([
    ['there is no key', ask, prompt(task), 'no address or key'],
    ['the input is not JSON', ask, 'hello', 'not valid JSON'],
    ['the event is unknown', ask.replace('prompt', 'lunch'), prompt(task), 'unknown event'],
    ['there is no event', `"${process.execPath}" "${program}" hook`, prompt(task), 'unknown event'],
    ['the agent names no transcript', ask.replace('prompt', 'end'), prompt(task), 'named no transcript'],
  ])('when %s', async (_, command, input, problem) => {
    const hooked = await hook(command, input);

    expect(hooked).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(hooked.tookMs).toBeLessThan(limitMs);
    expect(await stateFile('hooks.log')).toContain(problem);
  });
});

it('an upload that fails is in the log, in doctor, and made up for at the next end of a turn', async () => {
  await whetstone.ask('connect', 'claude-code', '--yes');
  const end = await commandFor('.claude/settings.json', 'Stop');
  const transcript = join(home, 'transcript.jsonl');
  await writeFile(transcript, claudeCode.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const input = { session_id: 's1', cwd: repo, hook_event_name: 'Stop', transcript_path: transcript };
  const ask = await commandFor('.claude/settings.json', 'UserPromptSubmit');
  const session = await eventually(() => sessionAfter(ask), { what: 'a prompt is answered in time', everyMs: 200 });

  await hook(end, input, { WHETSTONE_KEY: 'wst_wrong' });
  expect(await upload()).toMatchObject({ ok: false, detail: expect.stringContaining('answered 401') });
  expect((await whetstone.run('doctor')).stdout).toMatch(/last upload +WRONG .*answered 401/);
  expect(await stateFile('hooks.log')).toContain('hook upload of claude-code: /store_knowledge answered 401');

  // A crash may cut a line of what is known about the session.
  await writeFile(session, '{"uploaded": "x\n', { flag: 'a' });
  await hook(end, input);
  await eventually(async () => (await upload()).ok || undefined, { what: 'the run is uploaded', everyMs: 100 });
  expect(await stateFile('hooks.log')).toMatch(/a line of .*sessions.*JSON/);
});

/** Asks, and returns the file about the session, which only an answer in time leaves. */
async function sessionAfter(ask: string): Promise<string | undefined> {
  await hook(ask, prompt(task));
  const folder = join(home, '.local/state/whetstone');
  if (!(await readdir(folder)).includes('sessions')) return undefined;
  const [name] = await readdir(join(folder, 'sessions'));
  return name && join(folder, 'sessions', name);
}
