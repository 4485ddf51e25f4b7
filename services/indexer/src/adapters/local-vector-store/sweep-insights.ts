import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import type { IndexEntry } from './collection-index.js';
import { floatsOf, numbersOf } from './packed-rows.js';
import { seqOf } from './row-reader.js';
import { termsHeader } from './word-index.js';

const batchRows = 1_024;

/** What the search by words needs of an insight. */
export type WordEntry = Omit<IndexEntry, 'vector'>;

interface WordRecord {
  last: number | null;
  numbers: string;
  keys: string;
  terms: Uint8Array;
}

interface FullRecord extends WordRecord {
  vectors: Uint8Array;
}

/** Reads whole collections, in ascending order of number. */
export interface Sweep {
  /** The insights with number `from` or above. */
  all(collectionNo: number, from: number): Generator<IndexEntry>;
  words(collectionNo: number): Generator<WordEntry>;
}

/**
 * SQLite concatenates the values of a thousand rows: passing them to JavaScript at once takes a fraction of the time of
 * passing them one by one.
 */
export function createSweep(db: DatabaseSyncInstance, dimension: number): Sweep {
  const words = `max(seq) AS last, group_concat(seq & 4294967295, ' ') AS numbers, group_concat(key, char(10)) AS keys,
    CAST(group_concat(terms, '') AS BLOB) AS terms`;
  const batches = `FROM (
    SELECT seq, key, vector, terms FROM rows
    WHERE seq >= ? AND seq < ? AND type = 'insight' ORDER BY seq LIMIT ${batchRows}
  )`;
  const wordBatch = db.prepare(`SELECT ${words} ${batches}`);
  const fullBatch = db.prepare(`SELECT ${words}, CAST(group_concat(vector, '') AS BLOB) AS vectors ${batches}`);

  function* records<Found extends WordRecord>(batch: typeof fullBatch, collectionNo: number, from: number) {
    for (let next = seqOf(collectionNo, from); ; ) {
      const record = batch.get(next, seqOf(collectionNo + 1, 0)) as unknown as Found;
      if (record.last === null) return;
      yield record;
      next = record.last + 1;
    }
  }

  return {
    *all(collectionNo, from) {
      for (const record of records<FullRecord>(fullBatch, collectionNo, from)) {
        const vectors = floatsOf(record.vectors);
        let at = 0;
        for (const entry of wordEntries(record)) {
          yield { ...entry, vector: vectors.subarray(at * dimension, ++at * dimension) };
        }
      }
    },
    *words(collectionNo) {
      for (const record of records<WordRecord>(wordBatch, collectionNo, 1)) yield* wordEntries(record);
    },
  };
}

function* wordEntries({ numbers, keys, terms }: WordRecord): Generator<WordEntry> {
  const allKeys = keys.split('\n');
  const allTerms = numbersOf(terms);
  let termsAt = 0;
  for (const [index, n] of numbers.split(' ').entries()) {
    const termsEnd = termsAt + termsHeader + 2 * (allTerms[termsAt] as number);
    yield { n: Number(n), key: allKeys[index] as string, terms: allTerms.subarray(termsAt, termsEnd) };
    termsAt = termsEnd;
  }
}
