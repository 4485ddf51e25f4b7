import { statSync } from 'node:fs';

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { hasRoomToVacuum, truncateWal } from '@whetstone/platform/sqlite';
import { AppError, lowerPriority, serveWorker } from '@whetstone/platform/worker';

export interface VacuumRequest {
  path: string;
  maxBytes: number;
}

serveWorker({
  vacuum({ path, maxBytes }: VacuumRequest): void {
    lowerPriority();
    const db = new DatabaseSync(path, { timeout: 10_000 });
    try {
      const { removals, seen } = removalsIn(db);
      if (removals === seen || statSync(path).size > maxBytes) return;
      if (!hasRoomToVacuum(path)) throw new AppError('store_unavailable', `No room on the disk to compact ${path}`);
      db.exec('VACUUM');
      db.prepare("INSERT OR REPLACE INTO about (name, value) VALUES ('vacuumed_removals', ?)").run(String(removals));
      truncateWal(db);
    } finally {
      db.close();
    }
  },
});

/** How many writes have removed rows, and how many of them the last VACUUM has seen. A file without VACUUM has seen none. */
function removalsIn(db: DatabaseSyncInstance): { removals: number; seen: number } {
  const count = db.prepare('SELECT CAST(value AS INTEGER) AS count FROM about WHERE name = ?');
  const countOf = (name: string, missing: number) =>
    (count.get(name) as { count: number } | undefined)?.count ?? missing;
  return { removals: countOf('removals', 0), seen: countOf('vacuumed_removals', -1) };
}
