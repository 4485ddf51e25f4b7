import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { inheritedEnvironment, projectFolder } from '../support/product.js';
import { target } from '../support/target.js';

const { baseUrl } = target();
const accounts = createAccounts();
const program = join(projectFolder, 'services/cli/bin/whetstone.mjs');
const task = 'List all .tmp files below /srv/cache that are older than seven days';
const command = "find /srv/cache -name '*.tmp' -mtime +7";
const steps = [{ action: command, result: '/srv/cache/a.tmp' }];
const clients: Client[] = [];
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

type ClientTransport = Parameters<Client['connect']>[0];
type Era = 'auto' | 'legacy';

async function connect(transport: ClientTransport, mode: Era = 'auto') {
  const client = new Client({ name: 'acceptance', version: '1.0.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async use(name: string, given: Record<string, unknown>) {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      return { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), isError };
    },
  };
}

function overHttp(key: string, path: string, mode?: Era) {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}${path}`), { requestInit }), mode);
}

function overStdio(env: Record<string, string>, tenant: string) {
  const args = [program, 'mcp', '--tenant', tenant];
  return connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
}

type Connected = Awaited<ReturnType<typeof connect>>;

/** From nothing to the lesson of a recorded run. */
async function learnsFromARun({ use }: Connected): Promise<void> {
  const before = await use('get_recommendations', { task });
  expect(before).toMatchObject({ isError: false, text: expect.not.stringContaining('find /srv') });
  const [, enhancementId] = /enhancement_id: (\S+)/.exec(before.text) ?? [];

  const recorded = await use('record_run', { task, steps, success: true, enhancement_id: enhancementId });
  expect(recorded.isError).toBe(false);
  const [, jobId = ''] = /recorded as (\S+)\. /.exec(recorded.text) ?? [];
  expect(await account.client.jobEnded(jobId)).toMatchObject({ status: 'completed' });

  const after = await use('get_recommendations', { task });
  expect(after.text).toContain(command);
}

describe('MCP', () => {
  it.each<Era>(['auto', 'legacy'])('brings the lesson of a recorded run to the next task (%s)', async (mode) => {
    await learnsFromARun(await overHttp(account.key, `/mcp/${unique('mcp')}`, mode));
  });

  it('does the same over standard input and output', async () => {
    const env = { WHETSTONE_URL: baseUrl, WHETSTONE_KEY: account.key };
    await learnsFromARun(await overStdio(env, unique('stdio')));
  });

  it('shares the collection with REST', async () => {
    const tenantId = unique('shared');
    await learnsFromARun(await overHttp(account.key, `/mcp/${tenantId}`));

    expect((await account.client.enhance({ tenant_id: tenantId, input_text: task })).response).toContain(command);
  });

  it('learns in the default collection without a name', async () => {
    const own = await accounts.open();
    const { use } = await overHttp(own.key, '/mcp');
    const { text } = await use('record_run', { task, steps, success: true });
    await own.client.jobEnded(/recorded as (\S+)\. /.exec(text)?.[1] ?? '');

    expect((await own.client.enhance({ tenant_id: own.key, input_text: task })).response).toContain(command);
  });

  it('keeps the collections of accounts apart', async () => {
    const tenantId = unique('apart');
    await learnsFromARun(await overHttp(account.key, `/mcp/${tenantId}`));
    const other = await accounts.open();
    const { use } = await overHttp(other.key, `/mcp/${tenantId}`);

    expect((await use('get_recommendations', { task })).text).not.toContain('find /srv');
    const foreign = await overHttp(other.key, `/mcp/${account.key}`);
    expect(await foreign.use('get_recommendations', { task })).toMatchObject({ isError: true });
  });

  it('offers the tools that the key may use, and refuses the others', async () => {
    const name = unique('account');
    const offered: Record<string, string[]> = {
      ask: ['get_recommendations', 'give_feedback'],
      record: ['give_feedback', 'record_run'],
      curate: ['search_lessons'],
      admin: [],
    };
    for (const [scope, expected] of Object.entries(offered)) {
      const { key } = await accounts.open(name, ` --scope ${scope}`);
      const { tools, use } = await overHttp(key, '/mcp/shop');
      expect((await tools()).toSorted()).toEqual(expected);
      for (const tool of ['get_recommendations', 'record_run', 'search_lessons']) {
        if (expected.includes(tool)) continue;
        const { isError, text } = await use(tool, { task, steps });
        expect([isError, text]).toEqual([true, expect.stringContaining(`${tool} needs`)]);
      }
    }
  });

  it('counts feedback, and explains what is wrong with it', async () => {
    const { use } = await overHttp(account.key, `/mcp/${unique('feedback')}`);
    const { text } = await use('get_recommendations', { task });
    const enhancementId = /enhancement_id: (\S+)/.exec(text)?.[1];

    expect(await use('give_feedback', { enhancement_id: enhancementId, success: true })).toMatchObject({
      isError: false,
    });
    expect(await use('give_feedback', { enhancement_id: 'made-up', success: true })).toMatchObject({ isError: true });
    expect(await use('give_feedback', { success: 1 })).toEqual({
      isError: true,
      text: expect.stringContaining('enhancement_id: Field required'),
    });
  });

  it('refuses a wrong key', async () => {
    await expect(overHttp('wst_wrong', '/mcp/shop')).rejects.toThrow();
  });

  it('over standard input and output still lists its tools while the server is away, and tells that calls fail', async () => {
    const { tools, use } = await overStdio({ WHETSTONE_URL: 'http://127.0.0.1:9', WHETSTONE_KEY: account.key }, 'shop');

    expect(await tools()).toEqual(['get_recommendations', 'record_run', 'give_feedback', 'search_lessons']);
    const { isError, text } = await use('get_recommendations', { task });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^Whetstone is not available \(.+\)\. Carry on/)]);
  });

  it('works as the example shows', async () => {
    const example = join(projectFolder, 'examples/mcp-shell/dist/main.js');
    const env = { ...inheritedEnvironment(), WHETSTONE_URL: baseUrl, WHETSTONE_KEY: account.key };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [example], { env });

    expect(stderr).toBe('');
    expect(stdout).toMatch(/ march\.log\.gz\n {2}\$ grep [\s\S]*exit code 1\n[\s\S]*solved at try 2/);
    expect(stdout).toMatch(
      / april\.log\.gz\n\n--- Recommendations[\s\S]*\n {2}\$ gunzip .*\n.*\n.*\n.*solved at try 1/,
    );
    const path = `/runs?status=completed&tenant_id=${/collection ([\w-]+)/.exec(stdout)?.[1]}`;
    // The second was queued a moment ago.
    const runs = await eventually(
      async () => {
        const { body } = await account.client.request<{ runs: object[] }>('GET', path);
        return body.runs.length > 1 ? body.runs : undefined;
      },
      { what: 'both runs are learnt from' },
    );
    expect(runs).toMatchObject([{ success: true }, { success: true }]);
  });
});
