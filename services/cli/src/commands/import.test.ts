import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { runCommand } from '../test-kit/installation.js';

const runs = ['Rotate the logs', 'Renew the certificate'].map((query) => ({ query, tenant_id: 'ops', success: true }));
let folder: string;
let server: Server;
let received: string[][];
/** The answers to the first batches; all others are accepted. */
let answers: ((lines: string[]) => { status: number; body: object })[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-import-'));
  received = [];
  answers = [];
  server = createServer(async (request, response) => {
    const lines = (await text(request)).split('\n');
    received.push(lines.map((line) => JSON.parse(line).query));
    const { status, body } = answers.shift()?.(lines) ?? resultsOf(lines.map(() => 'accepted'));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

function resultsOf(statuses: string[]) {
  return { status: 200, body: { results: statuses.map((status, at) => ({ line: at + 1, status })) } };
}

async function importRuns() {
  const file = join(folder, 'runs.jsonl');
  await writeFile(file, runs.map((run) => JSON.stringify({ ...run, turns: [] })).join('\n'));
  const { port } = server.address() as AddressInfo;
  const env = { HOME: folder, WHETSTONE_URL: `http://127.0.0.1:${port}`, WHETSTONE_KEY: 'key' };
  return runCommand(['import', file, '--json'], env);
}

describe('import', () => {
  it('waits for a server that is busy, and says so once', async () => {
    const busy = () => ({ status: 503, body: { error: 'overloaded' } });
    answers = [busy, busy];

    const { code, stdout, stderr } = await importRuns();

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: 2, accepted: 2 });
    expect(stderr.match(/answered 503: .*; retrying for up to 5 minutes …/g)).toHaveLength(1);
    expect(received).toHaveLength(3);
  });

  it('sends again only the runs that could not be queued', async () => {
    answers = [() => resultsOf(['accepted', 'failed'])];

    const { code, stdout, stderr } = await importRuns();

    expect([code, JSON.parse(stdout).accepted]).toEqual([0, 2]);
    expect(stderr).toContain('Runs that could not be queued: 1; retrying');
    expect(received).toEqual([['Rotate the logs', 'Renew the certificate'], ['Renew the certificate']]);
  });

  it('gives up at once if waiting cannot help', async () => {
    answers = [() => ({ status: 401, body: {} })];

    const { code, stderr } = await importRuns();

    expect(code).not.toBe(0);
    expect(stderr).toContain('The server rejected the API key');
    expect(received).toHaveLength(1);
  });
});
