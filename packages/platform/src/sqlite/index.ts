/** For processes that keep data in SQLite files; the others do not load SQLite. */
export { copyDatabases } from './copy-databases.js';
export { findDamage } from './find-damage.js';
export { type FileLock, lockFile } from './lock-file.js';
export { allowIncrementalVacuum, hasRoomToVacuum, truncateWal } from './vacuum.js';
