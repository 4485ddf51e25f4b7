import { inTransaction } from '@whetstone/platform/sqlite';

import { type Database, offsetsPerPartition } from './database.js';

export interface EventToWrite {
  partitionId: number;
  compacted: boolean;
  key: string;
  /** JSON. */
  headers: string;
  timestampMs: number;
  valueBytes: number;
}

export interface PositionToWrite {
  group: string;
  partitionId: number;
  nextOffset: number;
}

/** One transaction. The values are concatenated in one buffer, which crosses threads without a copy. */
export interface WriteBatch {
  events: EventToWrite[];
  values: ArrayBuffer;
  positions: PositionToWrite[];
}

/** Partition ids and their next offsets after a batch. */
export type PartitionEnds = [id: number, nextOffset: number][];

/** Writes batches, each in one transaction with one fsync. */
export function createEventWriter(database: Database) {
  const nextOffsetOf = database.prepare('SELECT next_offset FROM partitions WHERE id = ?');
  const saveNextOffset = database.prepare('UPDATE partitions SET next_offset = ? WHERE id = ?');
  const insert = database.prepare(
    'INSERT INTO events (position, compacted, timestamp_ms, key, headers, value) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const savePosition = database.prepare(`
    INSERT INTO positions (consumer_group, partition_id, next_offset) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET next_offset = max(next_offset, excluded.next_offset)
  `);

  return function write({ events, values, positions }: WriteBatch): PartitionEnds {
    // A position lost in a power cut only repeats a delivery: it needs no fsync of its own.
    database.exec(`PRAGMA synchronous = ${events.length > 0 ? 'FULL' : 'NORMAL'}`);
    return inTransaction(database, () => {
      const ends = insertEvents(events, values);
      for (const { group, partitionId, nextOffset } of positions) savePosition.run(group, partitionId, nextOffset);
      return ends;
    });
  };

  function insertEvents(events: EventToWrite[], values: ArrayBuffer): PartitionEnds {
    const nextOffsets = new Map<number, number>();
    let at = 0;
    for (const { partitionId, compacted, key, headers, timestampMs, valueBytes } of events) {
      const offset = nextOffsets.get(partitionId) ?? readNextOffset(partitionId);
      const position = partitionId * offsetsPerPartition + offset;
      insert.run(position, compacted ? 1 : 0, timestampMs, key, headers, new Uint8Array(values, at, valueBytes));
      nextOffsets.set(partitionId, offset + 1);
      at += valueBytes;
    }
    for (const [partitionId, nextOffset] of nextOffsets) saveNextOffset.run(nextOffset, partitionId);
    return [...nextOffsets];
  }

  function readNextOffset(partitionId: number): number {
    return (nextOffsetOf.get(partitionId) as { next_offset: number }).next_offset;
  }
}
