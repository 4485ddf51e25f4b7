import { inTransaction } from '@whetstone/platform/sqlite';

import { type Database, offsetsPerPartition, type Partition } from './database.js';

/** Limits of one step, so that no append waits long. */
const stepEvents = 500;
const stepBytes = 16 * 1024 * 1024;
const stepPages = 2_000;
/** Free pages are kept for the next appends up to this share of the file. */
const spareShare = 0.25;
/** A file of an earlier version may not have this mode. */
const incremental = 2;

/** Applies retention and compaction, one small transaction per step. */
export function createEventCleaner(database: Database) {
  const oldest = database.prepare(`
    SELECT position, timestamp_ms, length(value) AS bytes FROM events
    WHERE position >= ? AND position < ? ORDER BY position LIMIT ${stepEvents}
  `);
  const unread = database.prepare('SELECT min(next_offset) AS next FROM positions WHERE partition_id = ?');
  const removeRange = database.prepare('DELETE FROM events WHERE position BETWEEN ? AND ?');
  const saveStart = database.prepare('UPDATE partitions SET start_offset = ? WHERE id = ?');
  const progress = database.prepare('SELECT compacted_offset, next_offset FROM partitions WHERE id = ?');
  const keysFrom = database.prepare(`
    SELECT position, key FROM events WHERE position >= ? AND position < ? ORDER BY position LIMIT ${stepEvents}
  `);
  const removeEarlier = database.prepare(
    'DELETE FROM events WHERE compacted = 1 AND key = ? AND position >= ? AND position < ?',
  );
  const saveProgress = database.prepare('UPDATE partitions SET compacted_offset = ? WHERE id = ?');

  /** True when there may be more to do. */
  return function clean(partition: Partition, nowMs: number): boolean {
    const expired = partition.retentionMs === undefined ? false : expire(partition.id, nowMs - partition.retentionMs);
    const compacted = partition.compacted && compact(partition.id);
    return expired || compacted;
  };

  /** Oldest first, up to the first event to keep, or the first that a consumer group has not finished. */
  function expire(id: number, beforeMs: number): boolean {
    const base = id * offsetsPerPartition;
    const { next } = unread.get(id) as { next: number | null };
    const end = base + (next ?? offsetsPerPartition);
    let last: number | undefined;
    let bytes = 0;
    for (const row of oldest.all(base, end) as EventRow[]) {
      if (row.timestamp_ms >= beforeMs || bytes > stepBytes) break;
      bytes += row.bytes;
      last = row.position;
    }
    if (last === undefined) return false;
    const lastExpired = last;
    inTransaction(database, () => {
      removeRange.run(base, lastExpired);
      saveStart.run(lastExpired - base + 1, id);
    });
    return true;
  }

  /** Walks over the events since the last run; each removes its predecessors, so the newest stays. */
  function compact(id: number): boolean {
    const base = id * offsetsPerPartition;
    const { compacted_offset: from, next_offset: end } = progress.get(id) as ProgressRow;
    if (from >= end) return false;
    return inTransaction(database, () => {
      const rows = keysFrom.all(base + from, base + end) as { position: number; key: string }[];
      for (const { key, position } of rows) removeEarlier.run(key, base, position);
      const last = rows.length < stepEvents ? undefined : rows.at(-1);
      saveProgress.run(last ? last.position - base + 1 : end, id);
      return last !== undefined;
    });
  }
}

/** Returns some free pages to the disk; true when there may be more to do. */
export function shrinkFile(database: Database): boolean {
  const { freelist_count: free } = database.prepare('PRAGMA freelist_count').get() as { freelist_count: number };
  const { page_count: all } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  const surplus = Math.floor(free - spareShare * all);
  if (mode !== incremental || surplus <= 0) return false;
  database.exec(`PRAGMA incremental_vacuum(${Math.min(surplus, stepPages)})`);
  return surplus > stepPages;
}

interface EventRow {
  position: number;
  timestamp_ms: number;
  bytes: number;
}

interface ProgressRow {
  compacted_offset: number;
  next_offset: number;
}
