import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dataFolder } from '@whetstone/platform';

import { openDataFolder } from './open-data-folder.js';

describe('the data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (path = folder) => openDataFolder(dataFolder(path));

  it('refuses a second server and says which folder it is', async () => {
    const first = await open();

    await expect(open()).rejects.toThrow(`Another Whetstone server is using the data folder ${folder}`);
    first.release();
  });

  it('is free again once it was released', async () => {
    (await open()).release();
    (await open()).release();
  });

  it('is made with whatever is missing above it, for its owner alone', async () => {
    const path = join(folder, 'some', 'where');

    (await open(path)).release();

    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['is a file', 'file'],
    ['would be below a file', 'file/data'],
    ['holds something else in place of the lock', 'odd'],
    ['holds a lock that is damaged', 'damaged'],
    ...(process.platform === 'linux' ? [['can never be made', '/proc/whetstone/data']] : []),
  ])('that %s is told as that, with the variable that names it, and not as a second server', async (_, name) => {
    await writeFile(join(folder, 'file'), 'no folder');
    await mkdir(join(folder, 'odd', 'server.lock'), { recursive: true });
    await mkdir(join(folder, 'damaged'));
    await writeFile(join(folder, 'damaged', 'server.lock'), 'no database '.repeat(100));
    const path = name.startsWith('/') ? name : join(folder, name);

    await expect(open(path)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(`^The data folder ${path} cannot be used: .*WHETSTONE_DATA`),
    });
  });
});
