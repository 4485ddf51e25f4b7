import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { runCommand } from './test-kit/installation.js';

const commands = [
  'keys issue',
  'keys list',
  'keys rotate',
  'keys revoke',
  'errors open',
  'dead-letters list',
  'dead-letters replay',
  'knowledge export',
  'knowledge import',
  'topics apply',
  'backup',
  'restore',
  'salvage',
  'reindex',
  'uplift',
  'mcp',
  'connect',
  'hook',
  'doctor',
  'import',
];
const program = fileURLToPath(new URL('../bin/whetstone.mjs', import.meta.url));
const execute = promisify(execFile);
const milvusAway = { WHETSTONE_MILVUS_ADDRESS: '127.0.0.1:1', WHETSTONE_MILVUS_TIMEOUT_MS: '300' };
/** Says at the end which clients of engines the process has loaded. */
const tellLoaded = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire('/');
  process.on('exit', () => {
    const paths = Object.keys(cache).join();
    const loaded = ['@grpc', '@zilliz', 'kafkajs'].filter((name) => paths.includes('node_modules/' + name + '/'));
    console.error('loaded: ' + JSON.stringify(loaded));
  });
`)}`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('whetstone', () => {
  it('teaches: --help has the commands, examples and exit codes', async () => {
    const { code, stdout } = await runCommand(['--help']);

    expect(code).toBe(0);
    for (const word of [
      'keys',
      'errors',
      'dead-letters',
      'knowledge',
      'backup',
      'restore',
      'reindex',
      'uplift',
      'topics',
      'WHETSTONE_KAFKA_BROKERS',
      '--data',
      '--json',
      'Examples:',
      'Exit codes:',
    ]) {
      expect(stdout).toContain(word);
    }
  });

  it.each(commands)('%s --help explains itself and the options that all commands have', async (command) => {
    const { code, stdout } = await runCommand([...command.split(' '), '--help']);

    expect(code).toBe(0);
    expect(stdout).toContain('--data <dir>');
    expect(stdout).toContain('--json');
  });

  it.each([
    ['nothing at all', []],
    ['a group without a command', ['keys']],
    ['an unknown command', ['kyes', 'list']],
    ['an unknown option', ['keys', 'list', '--jsn']],
    ['a missing option', ['keys', 'issue', '--account', 'acme', '--reason', 'r']],
    ['a missing argument', ['errors', 'open']],
    [
      'a malformed duration',
      ['keys', 'rotate', '--key-id', 'a', '--approved-by', 'b', '--reason', 'c', '--overlap', '1w'],
    ],
    ['neither one nor all', ['dead-letters', 'replay']],
    ['one and all', ['dead-letters', 'replay', '--all', '--job', 'j']],
  ])('exits with 2 and keeps standard output empty for %s', async (_, argv) => {
    const { code, stdout, stderr } = await runCommand(argv);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });

  it('suggests what was meant', async () => {
    expect((await runCommand(['kyes', 'list'])).stderr).toContain('Did you mean keys?');
  });

  it('exits with 1 and says what to do when there is no data folder', async () => {
    const missing = join(folder, 'nowhere');
    const { code, stderr } = await runCommand(['keys', 'list', '--data', missing]);

    expect(code).toBe(1);
    expect(stderr).toContain(`There is no data folder at ${missing}. Start the server once (npm start), or name`);
  });

  it('exits with 1 and says what to do when no server has started on the folder yet', async () => {
    await mkdir(join(folder, 'empty'));
    const { code, stderr } = await runCommand(['keys', 'list'], { WHETSTONE_DATA: join(folder, 'empty') });

    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, 'empty')} has no root secret yet. Start the server once`);
  });

  it('reports failures to programs as JSON on standard error', async () => {
    const { stdout, stderr } = await runCommand(['keys', 'list', '--json', '--data', join(folder, 'nowhere')]);

    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({ error: 'invalid_argument', message: expect.stringContaining('nowhere') });
  });

  it('is a program that exits with these codes', async () => {
    expect((await execute(process.execPath, [program, '--version'])).stdout).toBe('1.0.0\n');
    await expect(execute(process.execPath, [program, 'keys'])).rejects.toMatchObject({ code: 2 });
  });

  it.each([
    ['for help nothing of a cluster', ['--help'], {}, []],
    ['on a data folder nothing of a cluster', ['keys', 'list', '--data', '/nowhere'], {}, []],
    [
      'on a cluster what the command needs',
      ['topics', 'apply'],
      { WHETSTONE_KAFKA_BROKERS: '127.0.0.1:1' },
      ['kafkajs'],
    ],
    ['on a cluster what the command needs', ['knowledge', 'export'], milvusAway, ['@grpc', '@zilliz']],
  ])('loads %s', async (_, argv, env, loaded) => {
    const told = await execute(process.execPath, ['--import', tellLoaded, program, ...argv], { env }).catch(
      (failure: { stderr: string }) => failure,
    );
    const [, clients] = /loaded: (.*)\n/.exec(told.stderr) ?? [];

    expect(JSON.parse(clients ?? '')).toEqual(loaded);
  });

  it('says what to do when it has not been built', async () => {
    const copy = join(folder, 'bin', 'whetstone.mjs');
    await cp(program, copy);

    await expect(execute(process.execPath, [copy, 'keys', 'list'])).rejects.toMatchObject({
      code: 1,
      stderr: 'Whetstone is not built yet. In its folder, run: npm run build\n',
    });
  });
});
