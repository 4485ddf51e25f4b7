import { readdir, readFile, writeFile } from 'node:fs/promises';

import { topics } from '@whetstone/contracts';
import { createSystemClock } from '@whetstone/platform';
import { findDamage, lockFile } from '@whetstone/platform/sqlite';

import { TestInstallation } from '../test-kit/installation.js';
import { fill, rowsOf, withStore } from '../test-kit/knowledge.js';
import { salvage } from './salvage.js';

const collectionId = `c${'0'.repeat(31)}`;
const jobs = 200;

describe('a damaged data folder', () => {
  let installation: TestInstallation;

  beforeEach(async () => {
    installation = await TestInstallation.create();
    await installation.run('keys', 'issue', '--account', 'acme', '--approved-by', 'ann', '--reason', 'test');
    const upload = (n: number) => ({ key: `k${n}`, value: Buffer.from(`upload ${n} `.repeat(200)) });
    await installation.append(topics.uploads.name, ...Array.from({ length: 100 }, (_, n) => upload(n)));
    const rows = Array.from({ length: jobs }, (_, n) => rowsOf(collectionId, `job${n}`)).flat();
    await fill(installation, rows);
  });
  afterEach(() => installation.remove());

  const salvaged = () => salvage(installation.folder, { env: {}, clock: createSystemClock() });

  it('goes on with what can still be read of it, and keeps the damaged files', async () => {
    const { log, knowledge, path } = installation.folder;
    await damage(log, 4096, 40);
    await damage(knowledge, 8192, 30);

    const { files, keptIn } = await salvaged();

    expect(files.map((file) => file.path)).toEqual([log, knowledge]);
    expect([findDamage(log), findDamage(knowledge)]).toEqual([undefined, undefined]);
    expect((await installation.run('keys', 'list')).stdout).toContain('acme');
    expect(files[0]?.rows['events']).toBeGreaterThan(80);
    expect(files[1]?.rows['rows']).toBeGreaterThan(jobs);
    const kept = await withStore(installation, (store) => store.stats());
    expect(kept.rows).toBe(files[1]?.rows['rows']);
    expect((await readdir(keptIn as string)).sort()).toEqual(expect.arrayContaining(['knowledge.db', 'log.db']));
    expect((await readdir(path)).filter((name) => /salvaged|readable/.test(name))).toEqual([]);
  });

  it('is left alone if it is not damaged after all, or a server uses it', async () => {
    expect(await salvaged()).toEqual({ files: [], keptIn: undefined });
    const server = lockFile(installation.folder.serverLock);
    await expect(salvaged()).rejects.toThrow('A server is running');
    server?.release();
  });

  it('is left as it is if nothing can be read of a file', async () => {
    await writeFile(installation.folder.log, 'no database '.repeat(1000));

    await expect(salvaged()).rejects.toThrow(/log\.db is too damaged to be salvaged\. Restore a backup/);
    expect(await readFile(installation.folder.log, 'utf8')).toContain('no database');
    expect((await readdir(installation.folder.path)).filter((name) => name.includes('salvaged'))).toEqual([]);
  });
});

async function damage(path: string, pageBytes: number, page: number): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(0xa5, page * pageBytes, (page + 1) * pageBytes);
  await writeFile(path, bytes);
}
