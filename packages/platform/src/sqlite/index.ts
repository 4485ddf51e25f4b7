/** For processes that keep data in SQLite files; the others do not load SQLite. */
export { copyDatabases } from './copy-databases.js';
export { findDamage, isDamage } from './find-damage.js';
export { inTransaction } from './in-transaction.js';
export { type FileLock, lockFile } from './lock-file.js';
export { type Salvaged, salvageDatabase } from './salvage-database.js';
export { allowIncrementalVacuum, hasRoomToVacuum, truncateWal } from './vacuum.js';
