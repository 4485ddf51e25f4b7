import { statSync } from 'node:fs';

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { hasRoomToVacuum, truncateWal } from '@whetstone/platform/sqlite';
import { AppError, lowerPriority, serveWorker } from '@whetstone/platform/worker';

export interface VacuumRequest {
  path: string;
  maxBytes: number;
}

/** How many removals of rows the last VACUUM had seen. */
const vacuumed = 'vacuumed_removals';

serveWorker({
  vacuum({ path, maxBytes }: VacuumRequest): void {
    lowerPriority();
    const db = new DatabaseSync(path, { timeout: 10_000 });
    try {
      const { removals, seen } = removalsIn(db);
      if (removals === seen || statSync(path).size > maxBytes) return;
      if (!hasRoomToVacuum(path)) throw new AppError('store_unavailable', `No room on the disk to compact ${path}`);
      db.exec('VACUUM');
      db.prepare('INSERT OR REPLACE INTO about (name, value) VALUES (?, ?)').run(vacuumed, String(removals));
      truncateWal(db);
    } finally {
      db.close();
    }
  },
});

function removalsIn(db: DatabaseSyncInstance): { removals: number; seen: number } {
  const counts = db.prepare(`
    SELECT ifnull((SELECT sum(removals) FROM collections), 0) AS removals,
      CAST(ifnull((SELECT value FROM about WHERE name = ?), '0') AS INTEGER) AS seen
  `);
  return counts.get(vacuumed) as { removals: number; seen: number };
}
