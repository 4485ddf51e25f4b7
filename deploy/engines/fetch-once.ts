import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';

import { cacheFolder } from './environment.js';

export interface Fetchable {
  /** Contains version and checksum, so that a new pin is fetched again. */
  name: string;
  /** Shown to people who wait. */
  title: string;
  /** Fills the folder and verifies the content, or throws. */
  fetch(folder: string): Promise<void>;
}

export interface FetchOptions {
  cache?: string;
  say?(line: string): void;
}

export function isFetched({ name }: Pick<Fetchable, 'name'>, cache = cacheFolder()): Promise<boolean> {
  return access(join(cache, name)).then(
    () => true,
    () => false,
  );
}

/**
 * The folder of what was fetched; filled on the first call. It appears by a rename, so it is always complete. One process
 * fetches while others wait, and removes what a killed one left behind.
 */
export async function fetchOnce(
  fetchable: Fetchable,
  { cache = cacheFolder(), say }: FetchOptions = {},
): Promise<string> {
  const { name, title, fetch } = fetchable;
  const folder = join(cache, name);
  if (await isFetched(fetchable, cache)) return folder;
  await mkdir(cache, { recursive: true });
  const onWait = () => say?.(`Waiting for another process that is fetching ${title} …`);
  return withLock(join(cache, `${name}.lock`), onWait, async () => {
    if (await isFetched(fetchable, cache)) return folder;
    for (const entry of await readdir(cache)) {
      if (entry.startsWith(`${name}.part-`)) await rm(join(cache, entry), { recursive: true, force: true });
    }
    const part = await mkdtemp(join(cache, `${name}.part-`));
    try {
      say?.(`Fetching ${title} into ${cache}, once …`);
      await fetch(part);
      await rename(part, folder);
    } finally {
      await rm(part, { recursive: true, force: true });
    }
    return folder;
  });
}

/**
 * Runs the work while holding the lock file. The lock is an open exclusive transaction: the operating system releases it
 * however the process ends, so nothing is stale after kill −9.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited = false; !taken(lock); waited = true) {
      if (!waited) onWait();
      await sleep(200);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock: InstanceType<typeof DatabaseSync>): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (/locked|busy/i.test((error as Error).message)) return false;
    throw error;
  }
}
