import { copyFile, open } from 'node:fs/promises';

/** On disk when it resolves, and readable by its owner only. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}
