import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small disk in memory that can be filled. */
export interface SmallDisk {
  /** Uses up all remaining space. */
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): Promise<void>;
}

/** Undefined if this user may not mount one. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'whetstone-test', folder]);
  } catch {
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    async fill() {
      // The product writes and deletes meanwhile, so repeat until no space is left.
      for (let part = 0; ; part++) {
        const { bavail, bsize } = await statfs(folder);
        if (bavail === 0) return;
        await writeFile(`${filler}-${part}`, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      }
    },
    async free() {
      await run('sh', ['-c', 'rm -f "$1"-*', 'sh', filler]);
    },
    async unmount() {
      await rm(filler, { force: true });
      await run('umount', ['-l', folder]);
    },
  };
}
