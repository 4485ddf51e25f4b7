/** For processes that keep data in SQLite files; the others do not load SQLite. */
export { allowIncrementalVacuum, hasRoomToVacuum, truncateWal } from './vacuum.js';
