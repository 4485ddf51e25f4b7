import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import type { Lease } from '../../domain/ports.js';

/** Leases, one per collection. `acquire` and `release` must run inside a transaction. */
export function createLeaseTable(db: DatabaseSyncInstance) {
  const take = db.prepare(
    `INSERT INTO leases (collection_id, holder, expires_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (collection_id) DO UPDATE SET holder = ?2, expires_at = ?3 WHERE holder = ?2 OR expires_at <= ?4`,
  );
  const remove = db.prepare('DELETE FROM leases WHERE collection_id = ? AND holder = ?');
  const all = db.prepare('SELECT collection_id, holder, expires_at FROM leases');

  return {
    acquire: ({ collectionId, holder, expiresAt }: Lease, now: number): boolean =>
      Number(take.run(collectionId, holder, expiresAt, now).changes) > 0,
    release({ collectionId, holder }: Lease): void {
      remove.run(collectionId, holder);
    },
    list(): Lease[] {
      const records = all.all() as { collection_id: string; holder: string; expires_at: number }[];
      return records.map(({ collection_id: collectionId, holder, expires_at: expiresAt }) => {
        return { collectionId, holder, expiresAt };
      });
    },
  };
}
