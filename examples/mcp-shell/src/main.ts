import { exec } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { nextCommand } from './scripted-model.js';

const { WHETSTONE_URL: url = 'http://127.0.0.1:8080', WHETSTONE_KEY: key = '' } = process.env;
const nothingFits = 'Nothing learnt so far fits this task.';

/** A command and what came of it, as `record_run` takes it. */
interface Step {
  action: string;
  result: string;
}

// A collection of its own, so that the first run knows nothing.
const collection = `mcp-shell-${Date.now()}`;
const mcp = new Client({ name: 'mcp-shell', version: '1.0.0' });
await mcp.connect(
  new StreamableHTTPClientTransport(new URL(`/mcp/${collection}`, url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  }),
);

async function use(tool: string, given: Record<string, unknown>): Promise<string> {
  const { content, isError } = await mcp.callTool({ name: tool, arguments: given });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (isError) throw new Error(`${tool}: ${text}`);
  return text;
}

function run(command: string, cwd: string): Promise<{ result: string; ok: boolean }> {
  return new Promise((resolve) => {
    exec(command, { cwd }, (error, stdout, stderr) =>
      resolve({ result: `${stdout}${stderr}exit code ${error?.code ?? 0}`, ok: error === null }),
    );
  });
}

async function solve(task: string, folder: string): Promise<void> {
  const advice = await use('get_recommendations', { task, agent_type: 'shell' });
  const [, enhancementId] = /enhancement_id: (\S+)/.exec(advice) ?? [];
  console.log(advice.includes(nothingFits) ? task : advice.replace(/\n*enhancement_id: .*/, '\n'));
  const steps: Step[] = [];
  let success = false;
  while (!success && steps.length < 3) {
    const command = nextCommand(task, advice, steps.length);
    const { result, ok } = await run(command, folder);
    console.log(`  $ ${command}\n${result.replace(/^/gm, '    ')}`);
    steps.push({ action: command, result });
    success = ok;
  }
  await use('record_run', { task, steps, success, enhancement_id: enhancementId, agent_type: 'shell' });
  console.log(`  → ${success ? 'solved' : 'given up'} at try ${steps.length}\n`);
}

/** Learning takes a moment. */
async function learnt(task: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    if (!(await use('get_recommendations', { task, agent_type: 'shell' })).includes(nothingFits)) return;
    await sleep(500);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'mcp-shell-'));
try {
  await writeFile(join(folder, 'march.log.gz'), gzipSync('INFO up\nERROR disk full\nERROR disk full\n'));
  await writeFile(join(folder, 'april.log.gz'), gzipSync('INFO up\nERROR no route\nINFO down\n'));
  console.log(`In the collection ${collection}:\n`);
  await solve('Count the lines with ERROR in march.log.gz', folder);
  await learnt('Count the lines with ERROR in april.log.gz');
  await solve('Count the lines with ERROR in april.log.gz', folder);
} finally {
  await rm(folder, { recursive: true });
  await mcp.close();
}
