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
    if (isDamage(error)) return (error as Error).message;
    throw error;
  } finally {
    database.close();
  }
}

/** Whether SQLite found the file malformed, or no database. */
export function isDamage(error: unknown): boolean {
  const { errcode, message } = (error ?? {}) as { errcode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return damaged.has(errcode & 0xff);
  // Errors of `all` and `iterate` have no code.
  return typeof message === 'string' && /malformed|not a database/.test(message);
}
