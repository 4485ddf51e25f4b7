import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { createAccounts, keyCounts } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort, launchProduct, type Product, type StartOptions, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { whetstoneCommand } from '../support/whetstone-command.js';

let folder: string;
const running: Product[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-start-'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill()));
  await chmod(join(folder, 'data'), 0o700).catch(() => {});
  await rm(folder, { recursive: true });
});

async function start(options: Partial<StartOptions> = {}): Promise<Product> {
  const product = await startProduct({ folder, ...options });
  running.push(product);
  return product;
}

const keysIn = (printed: string) => printed.match(/wst_[0-9a-z]+_[0-9a-z]+_[0-9a-z]+/g) ?? [];

/** It reports ready shortly before it prints the key. */
const firstKeyOf = (product: Product) =>
  eventually(() => keysIn(product.printed())[0], { what: 'the first start prints a key' });

async function activeKeys(product: Product): Promise<unknown[]> {
  const whetstone = whetstoneCommand({ WHETSTONE_DATA: product.dataFolder });
  return (await whetstone.ask<{ keys: unknown[] }>('keys', 'list')).keys;
}

/** A line of a stack trace. */
const stack = /^\s+at .*:\d+:\d+\)?$/m;

it('the first start on a terminal prints one key that works, and the first call; later starts print none', async () => {
  const first = await start({ script: 'services/standalone/bin/start.mjs', terminal: true });
  const key = await firstKeyOf(first);
  expect(first.printed()).toMatch(/curl .*x-api-key/);
  await keyCounts(first.target.baseUrl, key, true);
  await first.stop();
  const second = await start({ terminal: true });
  await keyCounts(second.target.baseUrl, key, true);
  await eventually(() => second.printed().includes('keys issue') || undefined, { what: 'the second start prints' });
  await second.stop();

  expect(keysIn(second.printed())).toEqual([key]);
});

it('a start without a terminal makes and prints no key, and says how to issue one', async () => {
  const product = await start();
  const [, command = ''] = await eventually(
    () => /"issueKey":"(whetstone [^"]*)"/.exec(product.printed()) ?? undefined,
    {
      what: 'the start logs the command that issues a key',
    },
  );
  expect(keysIn(product.printed())).toEqual([]);
  expect(await activeKeys(product)).toEqual([]);

  const argv = command.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const { key } = await whetstoneCommand({}).ask<{ key: string }>(...argv.slice(1));

  await keyCounts(product.target.baseUrl, key, true);
});

it('the first start says where it listens and where the data is', async () => {
  const product = await start();
  await eventually(() => product.printed().includes('keys issue') || undefined, { what: 'the start prints' });

  expect(product.printed()).toContain(product.target.baseUrl);
  expect(product.printed()).toContain(product.dataFolder);
});

it('a second server on the same folder refuses with one clear message, and the first goes on', async () => {
  const first = await start();
  const second = await launchProduct({ folder });
  running.push(second);

  expect((await second.exited).code).toBe(1);
  expect(second.printed()).toMatch(/another .*(server|process).*data/i);
  expect(second.printed()).toContain(first.dataFolder);
  expect(second.printed()).not.toMatch(stack);
  expect((await fetch(`${first.target.opsUrl}/readyz`)).status).toBe(200);
});

it.each(['httpPort', 'opsPort'] as const)(
  'a taken port is one clear message that names the variable: %s',
  async (which) => {
    const port = await freePort();
    const squatter = await occupy(port);
    const product = await launchProduct({ folder, [which]: port, terminal: true });
    running.push(product);

    expect((await product.exited).code).toBe(1);
    expect(product.printed()).toContain(String(port));
    expect(product.printed()).toContain(which === 'httpPort' ? 'WHETSTONE_HTTP_PORT' : 'WHETSTONE_OPS_PORT');
    expect(product.printed()).not.toMatch(stack);
    expect(keysIn(product.printed())).toEqual([]);
    await new Promise((resolve) => squatter.close(resolve));

    // A key that nobody has seen must not stay active, and must not keep the next start from showing one.
    const again = await start({ [which]: port, terminal: true });
    await firstKeyOf(again);
    expect(await activeKeys(again)).toHaveLength(1);
  },
);

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the middle of work ends with code 0 within seconds, and nothing is lost',
  async (signal) => {
    const product = await start();
    const { key } = await createAccounts(product.target).open();
    const { store } = createClient(product.target.baseUrl, key);
    const acknowledged = await Promise.all(
      Array.from({ length: 40 }, () => store(lessonUpload('stopping', lessons.logs))),
    );

    const exit = await product.stop(signal);

    // 1 would mean that a phase of the stop took too long.
    expect(exit).toEqual({ code: 0, signal: null });
    const again = await start();
    const client = createClient(again.target.baseUrl, key);
    const ended = await Promise.all(acknowledged.map(({ job_id }) => client.jobEnded(job_id)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
  },
);

it('a read-only data folder is one clear message, from the server and from commands that write', async () => {
  // Root may write everywhere.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const first = await start();
  await createAccounts(first.target).open();
  await first.stop();
  await chmod(folder, 0o755);
  // The folder of all suites is private; the other user has to get through it.
  const { mode } = await stat(dirname(folder));
  if ((mode & 0o001) === 0) await chmod(dirname(folder), 0o711);
  for (const path of [
    first.dataFolder,
    ...(await readdir(first.dataFolder)).map((name) => join(first.dataFolder, name)),
  ]) {
    if (uid !== undefined) await chown(path, uid, uid);
    await chmod(path, path === first.dataFolder ? 0o500 : 0o400);
  }
  const product = await launchProduct({ folder, uid });
  running.push(product);

  expect((await product.exited).code).toBe(1);
  const printed = product.printed().split('Could not start').pop() as string;
  expect(printed).toMatch(/data folder .* cannot be used: .* is read-only/);
  expect(product.printed()).not.toMatch(/retryable|\n\s+at |\\n\s+at /);
  for (const argv of [
    ['keys', 'issue', '--account', 'a', '--approved-by', 'b', '--reason', 'c'],
    ['knowledge', 'export'],
  ]) {
    const whetstone = whetstoneCommand({ WHETSTONE_DATA: product.dataFolder }, uid);
    expect(await whetstone.run(...argv)).toMatchObject({ code: 1, stderr: expect.stringMatching(/is read-only/) });
  }
});

it('wrong settings are all told at once, by name', async () => {
  const product = await launchProduct({
    folder,
    env: { WHETSTONE_HTTP_PORT: 'eighty', WHETSTONE_OPS_PORT: '-1' },
  });
  running.push(product);

  expect((await product.exited).code).toBe(1);
  expect(product.printed()).toContain('WHETSTONE_HTTP_PORT');
  expect(product.printed()).toContain('WHETSTONE_OPS_PORT');
  expect(product.printed()).not.toMatch(stack);
});

function occupy(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
