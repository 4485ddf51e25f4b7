import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { AppError, createWorkerClient, type DataFolder, type Logger } from '@whetstone/platform';

/**
 * Reads the log and the knowledge whole, in a thread, and refuses a damaged file: a server that ran on would lose uploads
 * one by one. The status file is no concern here, since it is rebuilt from the log. Throws AppError `invalid_argument`
 * that says what is lost and what to do.
 */
export async function checkDataFiles(folder: DataFolder, logger: Logger): Promise<void> {
  const worker = createWorkerClient(new URL('./check-worker.js', import.meta.url), { name: 'data-check' });
  const beganMs = performance.now();
  try {
    for (const path of [folder.log, folder.knowledge]) {
      const damage = await worker.call<string | undefined>('findDamage', path);
      if (damage !== undefined) throw new AppError('invalid_argument', damageMessage(folder, path, damage));
    }
    const durationMs = Math.round(performance.now() - beganMs);
    logger.info({ duration_ms: durationMs }, 'Data files checked');
    if (existsSync(folder.log)) await upgradeLog(folder.log);
  } finally {
    await worker.close();
  }

  /** Only the first start of this version on a file of an earlier one has something to do. */
  async function upgradeLog(path: string): Promise<void> {
    const warn = (err: unknown) =>
      logger.warn({ err }, 'log.db was not compacted: it keeps its size, and text that earlier versions removed');
    try {
      const isDone = await worker.call<boolean>('allowIncrementalVacuum', path);
      if (!isDone) warn(new Error('The disk has no room'));
    } catch (error) {
      warn(error);
    }
  }
}

function damageMessage(folder: DataFolder, path: string, damage: string): string {
  const name = basename(path);
  const loss =
    path === folder.log
      ? 'It holds the API keys, the job records and the uploads that are still to be processed.'
      : 'It holds everything that was learnt.';
  return [
    `${path} is damaged (${damage}). ${loss} Choose one:`,
    `  restore a backup: whetstone restore --from BACKUP --replace --data '${folder.path}'`,
    `  go on with what can still be read: whetstone salvage --data '${folder.path}' (keeps the damaged file)`,
    `  go on without it: move ${name}, ${name}-wal and ${name}-shm to another folder`,
  ].join('\n');
}
