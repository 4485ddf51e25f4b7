import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface ThrowawayServer {
  url: string;
  key: string;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const startScript = join(root, 'services/standalone/bin/start.mjs');
const commandLine = join(root, 'services/cli/bin/whetstone.mjs');

/** A server of its own in a temporary folder, so that the demo touches nobody's knowledge and leaves nothing behind. */
export async function startThrowawayServer(): Promise<ThrowawayServer> {
  const data = await mkdtemp(join(tmpdir(), 'whetstone-demo-'));
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('WHETSTONE_'));
  const own = { WHETSTONE_DATA: data, WHETSTONE_HTTP_PORT: '0', WHETSTONE_OPS_PORT: '0' };
  const env = { ...Object.fromEntries(others), ...own };
  const server = spawn(process.execPath, [startScript], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));

  async function stop(): Promise<void> {
    server.kill('SIGTERM');
    await ended;
    await rm(data, { recursive: true, force: true });
  }

  try {
    const url = await addressOf(join(data, 'server.json'), () => server.exitCode !== null);
    const key = await issueKey(data);
    await untilKnown(url, key);
    return { url, key, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(file: string, hasEnded: () => boolean): Promise<string> {
  while (!hasEnded()) {
    try {
      return (JSON.parse(await readFile(file, 'utf8')) as { url: string }).url;
    } catch {
      await pause(50);
    }
  }
  throw new Error('The server did not start');
}

/** A key that another process has issued counts within a second. */
async function untilKnown(url: string, key: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ((await fetch(url, { headers: { 'x-api-key': key } })).status === 401) {
    if (performance.now() > deadline) throw new Error('The server does not know the key that was issued for it');
    await pause(50);
  }
}

async function issueKey(data: string): Promise<string> {
  const issue = [
    'keys',
    'issue',
    '--account',
    'demo',
    '--approved-by',
    'demo',
    '--reason',
    'demo',
    '--json',
    '--data',
    data,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [commandLine, ...issue]);
  return (JSON.parse(stdout) as { key: string }).key;
}
