import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { searchFiles } from './search-files.js';

const needle = 'tenant-7f3a';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-search-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** The checker is checked: each of these is a file with a planted leak. */
describe('searchFiles', () => {
  it.each([
    ['among text', Buffer.from(`{"msg":"no ${needle}!"}`), 'content'],
    [
      'between bytes of anything',
      Buffer.concat([randomBytes(5000), Buffer.from(needle), randomBytes(5000)]),
      'content',
    ],
    ['in UTF-16', Buffer.concat([randomBytes(31), Buffer.from(needle, 'utf16le')]), 'content'],
    ['gzipped', gzipSync(`{"tenant_id":"${needle}"}`), 'gzipped content'],
    [
      'gzipped, between other things',
      Buffer.concat([randomBytes(4000), gzipSync(`${'x'.repeat(900)}${needle}`), randomBytes(4000)]),
      'gzipped content',
    ],
    [
      'gzipped, with the end of the stream elsewhere',
      Buffer.concat([gzipSync(`${needle}${randomBytes(9000).toString('hex')}`).subarray(0, 3000), randomBytes(500)]),
      'gzipped content',
    ],
  ])('finds a text %s', async (_, bytes, where) => {
    const path = join(folder, 'file.db');
    await writeFile(path, bytes);

    expect(await searchFiles([folder], [needle])).toEqual([{ path, needle, where }]);
  });

  it('finds a text in the name of a file, however deep', async () => {
    await mkdir(join(folder, 'a', needle), { recursive: true });
    const path = join(folder, 'a', needle, 'empty');
    await writeFile(path, '');

    expect(await searchFiles([folder], [needle])).toEqual([{ path, needle, where: 'name' }]);
  });

  it('finds nothing where there is nothing', async () => {
    await writeFile(join(folder, 'file.db'), randomBytes(100_000));

    expect(await searchFiles([folder, join(folder, 'file.db')], [needle])).toEqual([]);
  });
});
