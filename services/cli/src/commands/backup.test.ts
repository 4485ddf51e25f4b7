import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSystemClock, dataFolder } from '@whetstone/platform';
import { lockFile } from '@whetstone/platform/sqlite';

import { moveAside } from '../backup/restore.js';
import { runCommand, TestInstallation } from '../test-kit/installation.js';

describe('a backup', () => {
  let installation: TestInstallation;
  let folder: string;
  let to: string;
  let target: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-backup-'));
    [to, target] = [join(folder, 'backup'), join(folder, 'restored')];
    installation = await TestInstallation.create();
    await installation.run('knowledge', 'check');
    await issueKey(installation.folder.path, 'acme');
  });
  afterEach(async () => {
    await installation.remove();
    await rm(folder, { recursive: true });
  });

  it('is made beside a server that runs, and restores its keys and its root secret into a new folder', async () => {
    const server = lockFile(installation.folder.serverLock);
    await installation.withLog(async () => {
      const { code, stdout } = await installation.run('backup', '--to', to);
      expect(code).toBe(0);
      expect(stdout).toContain('contains the root secret');
    });
    server?.release();
    await issueKey(installation.folder.path, 'later');

    const { code, stdout } = await runCommand(['restore', '--from', to, '--data', target]);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Restored .* as of 20.*Start the server on it\.\n$/)]);
    expect(await accountsIn(target)).toEqual(['acme']);
    expect(await readFile(join(target, 'root.secret'))).toEqual(await readFile(installation.folder.rootSecret));
  });

  it('is readable by its owner only, with a manifest of every file, and nothing else', async () => {
    const { files } = await installation.ask<{ files: Record<string, { bytes: number }> }>('backup', '--to', to);

    expect(Object.keys(files).sort()).toEqual(['knowledge.db', 'log.db', 'root.secret']);
    expect((await readdir(to)).sort()).toEqual(['knowledge.db', 'log.db', 'manifest.json', 'root.secret']);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(to)) expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
    for (const [name, { bytes }] of Object.entries(files)) expect((await stat(join(to, name))).size).toBe(bytes);
  });

  it('is not written into a folder with something in it, nor below a file', async () => {
    await mkdir(to);
    await writeFile(join(to, 'mine.txt'), 'mine');
    expect(await installation.run('backup', '--to', to)).toMatchObject({
      code: 1,
      stderr: `${to} is not empty. Name a folder that does not exist yet.\n`,
    });
    expect(await readdir(to)).toEqual(['mine.txt']);
    expect(await installation.run('backup', '--to', join(to, 'mine.txt', 'x'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The backup cannot be written to /),
    });
  });

  it('is not made of a damaged file, which is told apart from a good one', async () => {
    await damage(installation.folder.log);

    const { code, stderr } = await installation.run('backup', '--to', to);

    expect(code).toBe(1);
    expect(stderr).toContain(`${installation.folder.log} is damaged`);
    expect(await readdir(to)).toEqual([]);
  });

  it('is refused where a cluster is meant, and where there is no installation', async () => {
    const env = { WHETSTONE_KAFKA_BROKERS: 'one:9092' };
    expect((await runCommand(['backup', '--to', to], env)).stderr).toMatch(/name a cluster: WHETSTONE_KAFKA_BROKERS/);
    expect((await runCommand(['backup', '--to', to, '--data', target])).stderr).toMatch(/^There is no data folder at/);
  });

  describe('is restored', () => {
    beforeEach(async () => {
      await installation.ask('backup', '--to', to);
    });

    it('not into a folder that cannot be made or written, and leaves nothing behind', async () => {
      const below = join(to, 'manifest.json', 'x');
      expect(await runCommand(['restore', '--from', to, '--data', below])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The data folder .* cannot be used: /),
      });
      await mkdir(join(target, 'root.secret.restoring'), { recursive: true });
      expect(await runCommand(['restore', '--from', to, '--data', target])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^The restore failed and changed nothing: /),
      });
      expect((await readdir(target)).filter((name) => !name.startsWith('server.'))).toEqual([]);
    });

    it('not while a server runs on the folder', async () => {
      const server = lockFile(installation.folder.serverLock);
      const { code, stderr } = await installation.run('restore', '--from', to, '--replace');
      server?.release();

      expect([code, stderr]).toEqual([1, `A server is running on ${installation.folder.path}. Stop it first.\n`]);
    });

    it('not over existing data, unless told so, and then that is kept', async () => {
      await issueKey(installation.folder.path, 'later');
      await writeFile(installation.folder.status, 'of the former log');
      const refused = await installation.run('restore', '--from', to);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/already holds data \(.*log\.db.*add --replace/);
      expect(await accountsIn(installation.folder.path)).toEqual(['acme', 'later']);

      const { former_data: former } = await installation.ask<{ former_data: string }>(
        'restore',
        '--from',
        to,
        '--replace',
      );

      expect(await accountsIn(installation.folder.path)).toEqual(['acme']);
      expect(await accountsIn(former)).toEqual(['acme', 'later']);
      expect(await readdir(installation.folder.path)).not.toContain('status.db');
    });

    it('although a reader that ends has just removed its file beside the log', async () => {
      const clock = createSystemClock();
      await writeFile(join(folder, 'log.db'), 'former');

      const keptIn = await moveAside(folder, ['log.db', 'log.db-shm', 'log.db-wal'], clock);

      expect(await readdir(keptIn)).toEqual(['log.db']);
      await expect(moveAside(folder, ['log.db'], clock)).rejects.toThrow('ENOENT');
    });

    it.each([
      ['a file that has changed', 'knowledge.db', /knowledge\.db is not the file that was backed up/],
      ['another secret', 'root.secret', /root\.secret is not the file that was backed up/],
      ['a damaged manifest', 'manifest.json', /manifest\.json is damaged, or was written by a newer version/],
    ])('not with %s', async (_, name, reason) => {
      await appendFile(join(to, name), 'x');

      const { code, stderr } = await runCommand(['restore', '--from', to, '--data', target]);

      expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
      await expect(readdir(target)).rejects.toThrow('ENOENT');
    });

    it('not with a file that is missing or cannot be read', async () => {
      const file = join(to, 'knowledge.db');
      await rm(file);
      const missing = await runCommand(['restore', '--from', to, '--data', target]);
      await mkdir(file);
      const unreadable = await runCommand(['restore', '--from', to, '--data', target]);

      expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining(`The backup lacks ${file}`)]);
      expect([unreadable.code, unreadable.stderr]).toEqual([
        1,
        expect.stringContaining(`${file} cannot be read (EISDIR)`),
      ]);
    });

    it('not with a manifest that lists nothing', async () => {
      await writeFile(join(to, 'manifest.json'), '{"format":1,"files":null}');

      const { code, stderr } = await runCommand(['restore', '--from', to, '--data', target]);

      expect([code, stderr]).toEqual([1, expect.stringMatching(/manifest\.json is damaged/)]);
    });

    it.each(['manifest.json', 'log.db'])('not without its %s', async (name) => {
      await rm(join(to, name));

      const { code, stderr } = await runCommand(['restore', '--from', to, '--data', target]);

      expect([code, stderr]).toEqual([1, expect.stringMatching(name)]);
      await expect(readdir(target)).rejects.toThrow('ENOENT');
    });
  });
});

async function issueKey(data: string, account: string): Promise<void> {
  const argv = ['keys', 'issue', '--account', account, '--approved-by', 'ann', '--reason', 'test', '--data', data];
  expect(await runCommand(argv)).toMatchObject({ code: 0 });
}

/** A folder moved aside has no lock of its own. */
async function accountsIn(path: string): Promise<string[]> {
  const { stdout } = await runCommand(['keys', 'list', '--json', '--data', dataFolder(path).path]);
  return (JSON.parse(stdout) as { keys: { account: string }[] }).keys.map(({ account }) => account).sort();
}

/** A page in the middle, so that the file still opens. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(0xa5, 3 * 4096, 6 * 4096);
  await writeFile(path, bytes);
}
