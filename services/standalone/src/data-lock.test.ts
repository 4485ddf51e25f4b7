import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lockDataFolder } from './data-lock.js';

describe('the lock of the data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lock = () => lockDataFolder(folder, join(folder, 'server.lock'));

  it('refuses a second server and says which folder it is', () => {
    const first = lock();

    expect(lock).toThrow(`Another Whetstone server is using the data folder ${folder}`);
    first.release();
  });

  it('is free again once it was released', () => {
    lock().release();

    expect(() => lock().release()).not.toThrow();
  });
});
