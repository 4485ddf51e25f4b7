import { existsSync } from 'node:fs';

import { DatabaseSync } from '@photostructure/sqlite';

/** Malformed, not a database. */
const damaged = new Set([11, 26]);

/**
 * Reads the whole file and checks its structure: pages, rows and indexes, about one second of CPU per GB. Returns what is
 * wrong, `undefined` if nothing is. Bytes inside a value have no checksum: whoever reads the value notices.
 */
export function findDamage(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    const { integrity_check: finding } = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    return finding === 'ok' ? undefined : finding.replace(/^\*\*\* in database main \*\*\*\s*/, '');
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    if (damaged.has((errcode ?? 0) & 0xff)) return message;
    throw error;
  } finally {
    database.close();
  }
}
