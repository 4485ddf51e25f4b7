import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { type Fetchable, fetchOnce, isFetched } from './fetch-once.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const folder = temporaryFolder();

const cacheOf = (name: string) => join(folder(), name);

function counted(): Fetchable & { times: number } {
  const fetchable = {
    name: 'thing-1',
    title: 'a thing',
    times: 0,
    async fetch(into: string) {
      fetchable.times += 1;
      await sleep(100);
      await writeFile(join(into, 'file'), 'content');
    },
  };
  return fetchable;
}

describe('fetching once', () => {
  it('fetches at the first time only', async () => {
    const cache = cacheOf('once');
    const thing = counted();
    expect(await isFetched(thing, cache)).toBe(false);
    const first = await fetchOnce(thing, { cache });
    expect(await fetchOnce(thing, { cache })).toBe(first);
    expect(await readFile(join(first, 'file'), 'utf8')).toBe('content');
    expect(thing.times).toBe(1);
  });

  it('lets one fetch while others wait', async () => {
    const thing = counted();
    const waits: string[] = [];
    const options = { cache: cacheOf('others'), say: (line: string) => waits.push(line) };
    await Promise.all([fetchOnce(thing, options), fetchOnce(thing, options), fetchOnce(thing, options)]);
    expect(thing.times).toBe(1);
    expect(waits.filter((line) => line.startsWith('Waiting'))).toHaveLength(2);
  });

  it('leaves nothing where a fetch failed, and tries again', async () => {
    const cache = cacheOf('again');
    const thing = counted();
    const failing = { ...thing, fetch: () => Promise.reject(new Error('no network')) };
    await expect(fetchOnce(failing, { cache })).rejects.toThrow('no network');
    expect((await readdir(cache)).filter((name) => !name.includes('.lock'))).toEqual([]);
    await fetchOnce(thing, { cache });
    expect(thing.times).toBe(1);
  });

  it('removes what a killed process left behind', async () => {
    const cache = cacheOf('behind');
    await mkdir(join(cache, 'thing-1.part-abc'), { recursive: true });
    await fetchOnce(counted(), { cache });
    expect(await readdir(cache)).not.toContain('thing-1.part-abc');
  });

  it('waits for a process that holds the lock, and no longer than it lives', async () => {
    const cache = cacheOf('killed');
    await mkdir(cache, { recursive: true });
    const program = fileURLToPath(new URL('test-kit/hold-lock.js', import.meta.url));
    const holder = spawn(process.execPath, [program, join(cache, 'thing-1.lock')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    const thing = counted();
    const fetched = fetchOnce(thing, { cache });
    await sleep(500);
    expect(thing.times).toBe(0);
    holder.kill('SIGKILL');
    await fetched;
    expect(thing.times).toBe(1);
  });
});
