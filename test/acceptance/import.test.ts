import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { agentTrace, exportOf } from '../support/otlp.js';
import { target } from '../support/target.js';
import { lessons } from '../support/uploads.js';
import { type WhetstoneCommand, whetstoneCommand } from '../support/whetstone-command.js';

interface Imported {
  runs: number;
  accepted: number;
  skipped: Record<string, number>;
}

const accounts = createAccounts();
let account: Account;
let folder: string;
let whetstone: WhetstoneCommand;

beforeAll(async () => {
  account = await accounts.open();
  folder = await mkdtemp(join(tmpdir(), 'whetstone-import-'));
  const env = { HOME: folder, PATH: process.env['PATH'] ?? '' };
  whetstone = whetstoneCommand({ ...env, WHETSTONE_URL: target().baseUrl, WHETSTONE_KEY: account.key });
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(...entries: unknown[]): Promise<string> {
  const file = join(folder, `${unique('runs')}.jsonl`);
  await writeFile(file, entries.map((entry) => JSON.stringify(entry)).join('\n'));
  return file;
}

const runsOf = async (tenantId: string) =>
  (await account.client.request<{ runs: { query: string }[] }>('GET', `/runs?tenant_id=${tenantId}&limit=200`)).body
    .runs;

const conversation = ({ task, command }: { task: string; command: string }) => ({
  success: true,
  messages: [
    { role: 'user', content: task },
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'bash', input: { command } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'LISTEN 0 511 *:8443' }] },
  ],
});

it('runs that were recorded elsewhere are imported, and their lessons are told', async () => {
  const tenantId = unique('import');
  const file = await fileOf(conversation(lessons.ports), { unknown: 1 });
  const imported = await whetstone.ask<Imported>('import', file, '--tenant', tenantId, '--agent-type', 'shell');

  expect(imported).toEqual({ runs: 1, accepted: 1, skipped: { 'of no known format': 1 } });
  await eventually(
    async () => {
      const input = { tenant_id: tenantId, input_text: lessons.ports.task, agent_type: 'shell' };
      return (await account.client.enhance(input)).response.includes(lessons.ports.command) || undefined;
    },
    { what: 'the lesson is told' },
  );
});

it('an import that is repeated uploads nothing twice', async () => {
  const tenantId = unique('import');
  const traces = Array.from({ length: 5 }, (_, at) => exportOf(agentTrace({ task: `Task ${at}`, commands: ['ls'] })));
  const file = await fileOf(...traces);
  for (let time = 0; time < 2; time++) {
    expect(await whetstone.ask<Imported>('import', file, '--tenant', tenantId)).toMatchObject({ runs: 5, accepted: 5 });
  }

  const count = async () => (await runsOf(tenantId)).length;
  await eventually(async () => ((await count()) >= 5 ? true : undefined), { what: 'the runs are there' });
  expect(await count()).toBe(5);
});

it('a dry run shows the first uploads and sends nothing', async () => {
  const tenantId = unique('import');
  const file = await fileOf(...Array.from({ length: 4 }, () => conversation(lessons.ports)));
  const { code, stdout } = await whetstone.run('import', file, '--tenant', tenantId, '--dry-run');

  expect(code).toBe(0);
  expect(stdout.match(/"tenant_id"/g)).toHaveLength(3);
  expect(stdout).toMatch(/4 runs would be uploaded\.\n$/);
  expect(await runsOf(tenantId)).toEqual([]);
});

it('what the server refuses is told by reason, and the exit code says so', async () => {
  const good = { query: 'Look', turns: [{ turn: 1, inputs: 'a', decision: 'ls' }] };
  const file = await fileOf(good, { query: 'Look', turns: [{ turn: 'one' }] });
  const { code, stdout } = await whetstone.run('import', file, '--tenant', unique('import'));

  expect(code).toBe(1);
  expect(stdout).toMatch(/Uploaded 1 of 2 runs\.\n {2}skipped 1: .*turn/);
});

it('a file without a run that can be read is an error', async () => {
  const file = join(folder, `${unique('noise')}.txt`);
  await writeFile(file, 'nothing of use');
  const { code, stdout, stderr } = await whetstone.run('import', file, '--tenant', unique('import'));

  expect([code, stdout]).toEqual([1, 'Uploaded 0 of 0 runs.\n  skipped 1: not JSON\n']);
  expect(stderr).toContain('no runs that can be read');
});

it.each([
  ['no collection is named', [], /do not specify a collection\. Add --tenant/],
  ['the key is wrong', ['--tenant', 'a'], /rejected the API key/],
])('it says so if %s', async (_, options, reason) => {
  const file = await fileOf(conversation(lessons.ports));
  const env = { HOME: folder, WHETSTONE_URL: target().baseUrl, WHETSTONE_KEY: 'wst_wrong' };
  const { code, stderr } = await whetstoneCommand(env).run('import', file, ...options);

  expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
});
