import { rm, writeFile } from 'node:fs/promises';

export interface Addresses {
  url: string;
  opsUrl: string;
}

/** Says where this server listens, for programs that started it on port 0. Information only: the lock decides. */
export async function writeAddressFile(path: string, { url, opsUrl }: Addresses): Promise<void> {
  await writeFile(path, `${JSON.stringify({ url, ops_url: opsUrl, pid: process.pid }, null, 2)}\n`);
}

export async function removeAddressFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
