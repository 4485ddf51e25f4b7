import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const command = fileURLToPath(new URL('../..', import.meta.url));
const installed = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const cluster = { WHETSTONE_KAFKA_BROKERS: '127.0.0.1:1', WHETSTONE_ROOT_SECRET: 'r'.repeat(40) };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-parts-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('where an image lacks a part that a command needs, the command says in one sentence where to run it', () => {
  it.each([
    ['knowledge', ['knowledge', 'export']],
    ['knowledge', ['knowledge', 'import', 'a-file']],
    ['reindex', ['reindex']],
    ['uplift', ['uplift']],
  ])('%s without the indexer', async (_, argv) => {
    const told = await runWithout('@whetstone/indexer', argv, cluster);

    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(/^This container has no Milvus client.*: run it in .* indexer\n$/);
  });

  it.each([
    ['keys', ['keys', 'list']],
    ['dead letters', ['dead-letters', 'list']],
    ['topics', ['topics', 'apply']],
  ])('%s without Kafka', async (_, argv) => {
    const told = await runWithout('@whetstone/event-log/kafka', argv, cluster);

    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(/^This container has no Kafka client.*: run it in .* gateway, analyser or status\n$/);
  });

  it('a data folder without the indexer', async () => {
    const told = await runWithout('@whetstone/indexer', ['keys', 'list'], {});

    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(
      /^This container cannot read a data folder, .* run the command in a standalone container\n$/,
    );
  });

  it('the knowledge of a data folder without the indexer', async () => {
    const data = await mkdtemp(join(folder, 'data-'));
    await writeFile(join(data, 'root.secret'), 'r'.repeat(40));
    const told = await runWithout('@whetstone/indexer', ['knowledge', 'export'], { WHETSTONE_DATA: data });

    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(
      /^This container cannot read the knowledge in a data folder: run .* standalone container\n$/,
    );
  });

  it('and what the image has works: --help, and a command whose parts are there', async () => {
    expect(await runWithout('@whetstone/indexer', ['--help'], {})).toMatchObject({ code: 0 });
    expect(await runWithout('@whetstone/indexer', ['topics', 'apply'], cluster)).toMatchObject({
      code: 3,
      stderr: 'Kafka at 127.0.0.1:1 does not answer\n',
    });
  });
});

/** The command in a folder of its own, installed as in an image that lacks this package, or this export of one. */
async function runWithout(lacking: string, argv: string[], env: Record<string, string>) {
  const root = await mkdtemp(join(folder, 'image-'));
  const copy = join(root, 'services', 'cli');
  await cp(command, copy, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  const [scope = '', name = '', part] = lacking.split('/');
  await mkdir(join(root, 'node_modules', scope), { recursive: true });
  for (const entry of await readdir(installed)) {
    if (entry !== scope) await symlink(join(installed, entry), join(root, 'node_modules', entry));
  }
  for (const entry of await readdir(join(installed, scope))) {
    const [from, to] = [join(installed, scope, entry), join(root, 'node_modules', scope, entry)];
    if (entry !== name) await symlink(from, to);
    else if (part) await copyWithout(part, from, to);
  }
  const program = join(copy, 'bin', 'whetstone.mjs');
  const done = await execute(process.execPath, [program, ...argv], { env }).catch((failure: Told) => failure);
  return { code: 0, ...done };
}

interface Told {
  code?: number;
  stdout: string;
  stderr: string;
}

async function copyWithout(part: string, from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, dereference: true });
  await rm(join(to, 'dist', part), { recursive: true });
}
